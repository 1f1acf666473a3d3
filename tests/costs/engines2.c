/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of Berkeley DB, LevelDB, packers, archives, GSL, SuiteSparse,
 * HDF5, netCDF, libxml2 and Hyperscan, and their repaired twins, which print the same.
 */
#include <brotli/encode.h>
#include <bzlib.h>
#include <db.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <hdf5.h>
#include <hs/hs.h>
#include <leveldb/c.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <netcdf.h>
#include <suitesparse/umfpack.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>
#include <zstd.h>

#include "plants.h"

static char folder[] = "/tmp/tprof-engines-XXXXXX";
static char path[200];

static void make_folder(void)
{
    if (!mkdtemp(folder))
        exit(1);
    sprintf(path, "%s/data", folder);
}

static void remove_folder(void)
{
    char command[300];

    sprintf(command, "rm -r %s", folder);
    if (system(command) != 0)
        exit(1);
}

/* ---- Berkeley DB and LevelDB ------------------------------------------------------------ */

static DB *open_table(unsigned cache)
{
    DB *table;

    db_create(&table, NULL, 0);
    if (cache > 0)
        table->set_cachesize(table, 0, cache, 1);
    table->open(table, NULL, path, NULL, DB_BTREE, DB_CREATE, 0600);
    return table;
}

static void put_number(DB *table, long number)
{
    char text[100] = "";
    DBT key = {.data = text, .size = 16}, value = {.data = text, .size = sizeof text};

    sprintf(text, "%016lx", (unsigned long)number * 0x9E3779B97F4A7C15UL);
    table->put(table, NULL, &key, &value, 0);
}

static long fill_table(long rounds, unsigned cache)
{
    DB *table;

    make_folder();
    table = open_table(cache);
    for (long i = 0; i < rounds; i++)
        put_number(table, i);
    table->close(table, DB_NOSYNC);
    remove_folder();
    return rounds;
}

static long cache_planted(long rounds)
{
    return fill_table(rounds, 0);
}

static long cache_repaired(long rounds)
{
    return fill_table(rounds, 64 << 20);
}

static long tables_planted(long rounds)
{
    make_folder();
    for (long i = 0; i < rounds; i++) {
        DB *table = open_table(0);

        put_number(table, i);
        table->close(table, 0);
    }
    remove_folder();
    return rounds;
}

static long tables_repaired(long rounds)
{
    DB *table;

    make_folder();
    table = open_table(0);
    for (long i = 0; i < rounds; i++)
        put_number(table, i);
    table->close(table, 0);
    remove_folder();
    return rounds;
}

static leveldb_t *open_store(void)
{
    leveldb_options_t *options = leveldb_options_create();
    char *error = NULL;

    leveldb_options_set_create_if_missing(options, 1);
    return leveldb_open(options, path, &error);
}

static long get_one(leveldb_t *store, long number)
{
    leveldb_readoptions_t *options = leveldb_readoptions_create();
    size_t size = 0;
    char *error = NULL, *value;

    value = leveldb_get(store, options, (const char *)&number, sizeof number, &size, &error);
    leveldb_free(value);
    leveldb_readoptions_destroy(options);
    return number >= 0;
}

static long stores_planted(long rounds)
{
    long sum = 0;

    make_folder();
    for (long i = 0; i < rounds; i++) {
        leveldb_t *store = open_store();

        sum += get_one(store, i);
        leveldb_close(store);
    }
    remove_folder();
    return sum;
}

static long stores_repaired(long rounds)
{
    leveldb_t *store;
    long sum = 0;

    make_folder();
    store = open_store();
    for (long i = 0; i < rounds; i++)
        sum += get_one(store, i);
    leveldb_close(store);
    remove_folder();
    return sum;
}

/* ---- packers ---------------------------------------------------------------------------- */

static char text[200000], packed[300000], unpacked[200000];

static void make_text(void)
{
    for (size_t i = 0; i + 20 < sizeof text; i += 19)
        sprintf(text + i, "word %ld of line   ", (long)(i * 7919 % 1000));
}

static long bzip_planted(long rounds)
{
    long sum = 0;

    make_text();
    for (long i = 0; i < rounds; i++) {
        unsigned size = sizeof packed;

        sum += BZ2_bzBuffToBuffCompress(packed, &size, text, sizeof text, 9, 0, 0) == BZ_OK;
    }
    return sum;
}

static long bzip_repaired(long rounds)
{
    long sum = 0;

    make_text();
    for (long i = 0; i < rounds; i++)
        sum += ZSTD_compress(packed, sizeof packed, text, sizeof text, 6) > 0;
    return sum;
}

static long brotli(long rounds, int quality)
{
    long sum = 0;

    make_text();
    for (long i = 0; i < rounds; i++) {
        size_t size = sizeof packed;

        sum += BrotliEncoderCompress(quality, BROTLI_DEFAULT_WINDOW, BROTLI_DEFAULT_MODE,
                                     sizeof text, (uint8_t *)text, &size, (uint8_t *)packed);
    }
    return sum;
}

static long brotli_planted(long rounds)
{
    return brotli(rounds, BROTLI_DEFAULT_QUALITY);
}

static long brotli_repaired(long rounds)
{
    long sum = 0;

    make_text();
    for (long i = 0; i < rounds; i++)
        sum += ZSTD_compress(packed, sizeof packed, text, sizeof text, 6) > 0;
    return sum;
}

static long dictionary_planted(long rounds)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    long sum = 0;

    make_text();
    for (long i = 0; i < rounds; i++)
        sum += ZSTD_compress_usingDict(context, packed, sizeof packed, text + i % 1000, 200, text,
                                       50000, 3) > 0;
    ZSTD_freeCCtx(context);
    return sum;
}

static long dictionary_repaired(long rounds)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CDict *dictionary;
    long sum = 0;

    make_text();
    dictionary = ZSTD_createCDict(text, 50000, 3);
    for (long i = 0; i < rounds; i++)
        sum += ZSTD_compress_usingCDict(context, packed, sizeof packed, text + i % 1000, 200,
                                        dictionary) > 0;
    ZSTD_freeCDict(dictionary);
    ZSTD_freeCCtx(context);
    return sum;
}

static long gz_file(long rounds, int is_by_character)
{
    gzFile file;
    long sum = 0;

    make_folder();
    make_text();
    file = gzopen(path, "wb1");
    for (int i = 0; i < 10; i++)
        gzwrite(file, text, sizeof text);
    gzclose(file);
    file = gzopen(path, "rb");
    for (long i = 0; i < rounds; i++) {
        if (is_by_character)
            for (int letter; (letter = (gzgetc)(file)) >= 0;)
                sum += letter == '\n' || letter == ' ';
        else
            for (int size; (size = gzread(file, unpacked, sizeof unpacked)) > 0;)
                for (int j = 0; j < size; j++)
                    sum += unpacked[j] == '\n' || unpacked[j] == ' ';
        gzrewind(file);
    }
    gzclose(file);
    remove_folder();
    return sum;
}

static long gz_characters_planted(long rounds)
{
    return gz_file(rounds, 1);
}

static long gz_characters_repaired(long rounds)
{
    return gz_file(rounds, 0);
}

static long gz_flush_planted(long rounds)
{
    gzFile file;

    make_folder();
    file = gzopen(path, "wb");
    for (long i = 0; i < rounds; i++) {
        gzprintf(file, "line %ld\n", i);
        gzflush(file, Z_SYNC_FLUSH);
    }
    gzclose(file);
    remove_folder();
    return rounds;
}

static long gz_flush_repaired(long rounds)
{
    gzFile file;

    make_folder();
    file = gzopen(path, "wb");
    for (long i = 0; i < rounds; i++)
        gzprintf(file, "line %ld\n", i);
    gzclose(file);
    remove_folder();
    return rounds;
}

static void add_to_zip(zip_t *archive, long number)
{
    char name[30];

    sprintf(name, "%ld.txt", number);
    zip_file_add(archive, name, zip_source_buffer(archive, text, 100, 0), 0);
}

static long zips_planted(long rounds)
{
    make_folder();
    make_text();
    for (long i = 0; i < rounds; i++) {
        zip_t *archive = zip_open(path, ZIP_CREATE, NULL);

        add_to_zip(archive, i);
        zip_close(archive);
    }
    remove_folder();
    return rounds;
}

static long zips_repaired(long rounds)
{
    zip_t *archive;

    make_folder();
    make_text();
    archive = zip_open(path, ZIP_CREATE, NULL);
    for (long i = 0; i < rounds; i++)
        add_to_zip(archive, i);
    zip_close(archive);
    remove_folder();
    return rounds;
}

/* ---- numbers ---------------------------------------------------------------------------- */

static gsl_matrix *make_matrix(size_t size)
{
    gsl_matrix *matrix = gsl_matrix_alloc(size, size);

    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            gsl_matrix_set(matrix, i, j, i == j ? (double)size : 1.0 / (double)(i + j + 1));
    return matrix;
}

void dsyev_(const char *job, const char *part, const int *n, double *a, const int *lda,
            double *values, double *work, const int *size, int *info);

static long eigen_planted(long rounds)
{
    const size_t size = (size_t)rounds;
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(size);
    gsl_matrix *matrix = make_matrix(size), *vectors = gsl_matrix_alloc(size, size);
    gsl_vector *values = gsl_vector_alloc(size);

    gsl_eigen_symmv(matrix, values, vectors, work);
    return (long)gsl_vector_max(values);
}

static long eigen_repaired(long rounds)
{
    const int size = (int)rounds, length = 64 * size;
    gsl_matrix *matrix = make_matrix((size_t)rounds);
    double *values = malloc(sizeof(double) * (size_t)size), *work = malloc(8 * (size_t)length);
    int info;

    dsyev_("V", "U", &size, matrix->data, &size, values, work, &length, &info);
    return (long)values[size - 1];
}

enum { SIDE = 60, UNKNOWNS = SIDE * SIDE };

static int columns[UNKNOWNS + 1], lines[5 * UNKNOWNS];
static double entries[5 * UNKNOWNS], right[UNKNOWNS], left[UNKNOWNS];

static void make_grid(void)
{
    int count = 0;

    for (int i = 0; i < UNKNOWNS; i++) {
        const int neighbours[] = {i - SIDE, i - 1, i, i + 1, i + SIDE};

        for (int j = 0; j < 5; j++)
            if (neighbours[j] >= 0 && neighbours[j] < UNKNOWNS) {
                lines[count] = neighbours[j];
                entries[count++] = j == 2 ? 5 : -1;
            }
        columns[i + 1] = count;
        right[i] = 1;
    }
}

static long orders_planted(long rounds)
{
    double sum = 0;

    make_grid();
    for (long i = 0; i < rounds; i++) {
        void *symbolic, *numeric;

        umfpack_di_symbolic(UNKNOWNS, UNKNOWNS, columns, lines, entries, &symbolic, NULL, NULL);
        umfpack_di_numeric(columns, lines, entries, symbolic, &numeric, NULL, NULL);
        umfpack_di_solve(UMFPACK_A, columns, lines, entries, left, right, numeric, NULL, NULL);
        umfpack_di_free_symbolic(&symbolic);
        umfpack_di_free_numeric(&numeric);
        sum += left[0];
    }
    return (long)(sum * 1000);
}

static long orders_repaired(long rounds)
{
    void *symbolic, *numeric;
    double sum = 0;

    make_grid();
    umfpack_di_symbolic(UNKNOWNS, UNKNOWNS, columns, lines, entries, &symbolic, NULL, NULL);
    umfpack_di_numeric(columns, lines, entries, symbolic, &numeric, NULL, NULL);
    for (long i = 0; i < rounds; i++) {
        umfpack_di_solve(UMFPACK_A, columns, lines, entries, left, right, numeric, NULL, NULL);
        sum += left[0];
    }
    umfpack_di_free_symbolic(&symbolic);
    umfpack_di_free_numeric(&numeric);
    return (long)(sum * 1000);
}

/* ---- HDF5 and netCDF -------------------------------------------------------------------- */

static long hdf_flush(long rounds, int is_flushed)
{
    hsize_t count = (hsize_t)rounds, one = 1;
    hid_t file, all, single, data;

    make_folder();
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    all = H5Screate_simple(1, &count, NULL);
    single = H5Screate_simple(1, &one, NULL);
    data =
        H5Dcreate2(file, "values", H5T_NATIVE_DOUBLE, all, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (long i = 0; i < rounds; i++) {
        hsize_t from = (hsize_t)i;
        double value = (double)i;

        H5Sselect_hyperslab(all, H5S_SELECT_SET, &from, NULL, &one, NULL);
        H5Dwrite(data, H5T_NATIVE_DOUBLE, single, all, H5P_DEFAULT, &value);
        if (is_flushed)
            H5Fflush(file, H5F_SCOPE_GLOBAL);
    }
    H5Dclose(data);
    H5Fclose(file);
    remove_folder();
    return rounds;
}

static long hdf_flush_planted(long rounds)
{
    return hdf_flush(rounds, 1);
}

static long hdf_flush_repaired(long rounds)
{
    return hdf_flush(rounds, 0);
}

static long hdf_types(long rounds, hid_t type)
{
    static double values[100000];
    hsize_t count = 100000;
    hid_t file, space, data;
    double sum = 0;

    make_folder();
    for (int i = 0; i < 100000; i++)
        values[i] = i % 100;
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    space = H5Screate_simple(1, &count, NULL);
    data = H5Dcreate2(file, "values", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    for (long i = 0; i < rounds; i++) {
        H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        sum += values[i % 1000];
    }
    H5Dclose(data);
    H5Fclose(file);
    remove_folder();
    return (long)sum;
}

static long hdf_types_planted(long rounds)
{
    return hdf_types(rounds, H5T_IEEE_F32BE);
}

static long hdf_types_repaired(long rounds)
{
    return hdf_types(rounds, H5T_NATIVE_DOUBLE);
}

static long nc_flush(long rounds, int is_flushed)
{
    int file, dimension, variable;

    make_folder();
    nc_create(path, NC_CLOBBER, &file);
    nc_def_dim(file, "time", NC_UNLIMITED, &dimension);
    nc_def_var(file, "value", NC_DOUBLE, 1, &dimension, &variable);
    nc_enddef(file);
    for (long i = 0; i < rounds; i++) {
        size_t from = (size_t)i, count = 1;
        double value = (double)i;

        nc_put_vara_double(file, variable, &from, &count, &value);
        if (is_flushed)
            nc_sync(file);
    }
    nc_close(file);
    remove_folder();
    return rounds;
}

static long nc_flush_planted(long rounds)
{
    return nc_flush(rounds, 1);
}

static long nc_flush_repaired(long rounds)
{
    return nc_flush(rounds, 0);
}

/* ---- XML and patterns ------------------------------------------------------------------- */

static xmlDocPtr make_document(int count)
{
    xmlDocPtr document = xmlNewDoc((const xmlChar *)"1.0");
    xmlNodePtr root = xmlNewNode(NULL, (const xmlChar *)"list");

    xmlDocSetRootElement(document, root);
    for (int i = 0; i < count; i++)
        xmlNewChild(root, NULL, (const xmlChar *)"item", NULL);
    return document;
}

static long children_planted(long rounds)
{
    xmlDocPtr document = make_document(2000);
    xmlNodePtr root = xmlDocGetRootElement(document);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        xmlNodePtr child = xmlFirstElementChild(root);

        for (unsigned long j = 0; j < xmlChildElementCount(root); j++) {
            sum += child->name[0];
            child = xmlNextElementSibling(child);
        }
    }
    xmlFreeDoc(document);
    return sum;
}

static long children_repaired(long rounds)
{
    xmlDocPtr document = make_document(2000);
    xmlNodePtr root = xmlDocGetRootElement(document);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (xmlNodePtr child = xmlFirstElementChild(root); child;
             child = xmlNextElementSibling(child))
            sum += child->name[0];
    xmlFreeDoc(document);
    return sum;
}

static long parsing_planted(long rounds)
{
    const char words[] = "<a><b>1</b></a>";
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        xmlDocPtr document = xmlReadMemory(words, sizeof words - 1, NULL, NULL, 0);

        sum += document != NULL;
        xmlFreeDoc(document);
        xmlCleanupParser();
    }
    return sum;
}

static long parsing_repaired(long rounds)
{
    const char words[] = "<a><b>1</b></a>";
    xmlParserCtxtPtr context = xmlNewParserCtxt();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        xmlDocPtr document = xmlCtxtReadMemory(context, words, sizeof words - 1, NULL, NULL, 0);

        sum += document != NULL;
        xmlFreeDoc(document);
    }
    xmlFreeParserCtxt(context);
    return sum;
}

static int on_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags,
                    void *count)
{
    ++*(long *)count;
    return (void)id, (void)from, (void)to, (void)flags, 0;
}

static const char words_pattern[] = "(error|warning|failed) [0-9]+";

static long patterns_planted(long rounds)
{
    const char line[] = "a line with error 17 in its middle";
    long count = 0;

    for (long i = 0; i < rounds; i++) {
        hs_scratch_t *scratch = NULL;
        hs_compile_error_t *error;
        hs_database_t *patterns;

        hs_compile(words_pattern, HS_FLAG_SINGLEMATCH, HS_MODE_BLOCK, NULL, &patterns, &error);
        hs_alloc_scratch(patterns, &scratch);
        hs_scan(patterns, line, sizeof line - 1, 0, scratch, on_match, &count);
        hs_free_scratch(scratch);
        hs_free_database(patterns);
    }
    return count;
}

static long patterns_repaired(long rounds)
{
    const char line[] = "a line with error 17 in its middle";
    hs_scratch_t *scratch = NULL;
    hs_compile_error_t *error;
    hs_database_t *patterns;
    long count = 0;

    hs_compile(words_pattern, HS_FLAG_SINGLEMATCH, HS_MODE_BLOCK, NULL, &patterns, &error);
    hs_alloc_scratch(patterns, &scratch);
    for (long i = 0; i < rounds; i++)
        hs_scan(patterns, line, sizeof line - 1, 0, scratch, on_match, &count);
    hs_free_scratch(scratch);
    hs_free_database(patterns);
    return count;
}

static const struct plant plants[] = {
    PLANT(cache),      PLANT(tables),        PLANT(stores),    PLANT(bzip),     PLANT(brotli),
    PLANT(dictionary), PLANT(gz_characters), PLANT(gz_flush),  PLANT(zips),     PLANT(eigen),
    PLANT(orders),     PLANT(hdf_flush),     PLANT(hdf_types), PLANT(nc_flush), PLANT(children),
    PLANT(parsing),    PLANT(patterns)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
