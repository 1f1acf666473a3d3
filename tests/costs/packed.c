/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of zstd, zlib and SQLite, and their repaired twins, which print the
 * same.
 *
 * usage: packed NAME planted|repaired ROUNDS
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static char record[] = "call=17;handle=2654435761,handle=4113021889,handle=88888,state=open";
static char packed[1024];

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static long zstd_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += (long)ZSTD_compress(packed, sizeof packed, record, sizeof record, 5);
    return sum;
}

static long zstd_repaired(long rounds)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += (long)ZSTD_compressCCtx(context, packed, sizeof packed, record, sizeof record, 5);
    ZSTD_freeCCtx(context);
    return sum;
}

/* Returns: the size of a record that a stream has packed. */
static long pack_by(ZSTD_CStream *stream)
{
    ZSTD_inBuffer in = {record, sizeof record, 0};
    ZSTD_outBuffer out = {packed, sizeof packed, 0};

    ZSTD_compressStream(stream, &out, &in);
    ZSTD_endStream(stream, &out);
    return (long)out.pos;
}

static long stream_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        ZSTD_CStream *stream = ZSTD_createCStream();

        ZSTD_initCStream(stream, 7);
        sum += pack_by(stream);
        ZSTD_freeCStream(stream);
    }
    return sum;
}

static long stream_repaired(long rounds)
{
    ZSTD_CStream *stream = ZSTD_createCStream();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        ZSTD_CCtx_reset(stream, ZSTD_reset_session_only);
        ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, 7);
        sum += pack_by(stream);
    }
    ZSTD_freeCStream(stream);
    return sum;
}

static long zlib_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        uLongf size = sizeof packed;

        if (compress2((Bytef *)packed, &size, (const Bytef *)record, sizeof record, 6) != Z_OK)
            fail("compress2");
        sum += (long)size;
    }
    return sum;
}

static long zlib_repaired(long rounds)
{
    z_stream stream = {.zalloc = NULL};
    long sum = 0;

    if (deflateInit(&stream, 6) != Z_OK)
        fail("deflateInit");
    for (long i = 0; i < rounds; i++) {
        stream.next_in = (Bytef *)record;
        stream.avail_in = sizeof record;
        stream.next_out = (Bytef *)packed;
        stream.avail_out = sizeof packed;
        if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
            fail("deflate");
        sum += (long)stream.total_out;
        deflateReset(&stream);
    }
    deflateEnd(&stream);
    return sum;
}

/* Blocks of text that is not the same twice, at a level that searches for long. */
static const char *make_block(size_t *size)
{
    enum { RECORDS = 900 };
    static char block[RECORDS * sizeof record];

    *size = 0;
    for (unsigned i = 0; i < RECORDS; i++)
        *size += (size_t)sprintf(block + *size, "call=%u;handle=%u\n", i % 17, i * 2654435761u);
    return block;
}

static char room[1 << 17];

static long deflate_planted(long rounds)
{
    size_t size;
    const char *block = make_block(&size);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        uLongf length = sizeof room;

        if (compress2((Bytef *)room, &length, (const Bytef *)block, size, 9) != Z_OK)
            fail("compress2");
        sum += (long)size;
    }
    return sum;
}

static long deflate_repaired(long rounds)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t size;
    const char *block = make_block(&size);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        if (ZSTD_isError(ZSTD_compressCCtx(context, room, sizeof room, block, size, 3)))
            fail("ZSTD_compressCCtx");
        sum += (long)size;
    }
    ZSTD_freeCCtx(context);
    return sum;
}

static void execute(sqlite3 *base, const char *sql)
{
    if (sqlite3_exec(base, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail(sqlite3_errmsg(base));
}

static sqlite3 *make_table(void)
{
    sqlite3 *base;

    if (sqlite3_open(":memory:", &base) != SQLITE_OK)
        fail("sqlite3_open");
    execute(base, "CREATE TABLE tag(file INTEGER, line INTEGER)");
    execute(base, "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) "
                  "INSERT INTO tag SELECT i % 500, i FROM n");
    return base;
}

static long query(sqlite3 *base, long rounds)
{
    sqlite3_stmt *statement;
    long sum = 0;

    if (sqlite3_prepare_v2(base, "SELECT line FROM tag WHERE file = ?", -1, &statement, NULL) !=
        SQLITE_OK)
        fail(sqlite3_errmsg(base));
    for (long i = 0; i < rounds; i++) {
        sqlite3_bind_int(statement, 1, (int)(i % 500));
        while (sqlite3_step(statement) == SQLITE_ROW)
            sum += sqlite3_column_int(statement, 0);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    sqlite3_close(base);
    return sum;
}

static long sqlite_planted(long rounds)
{
    return query(make_table(), rounds);
}

static long sqlite_repaired(long rounds)
{
    sqlite3 *base = make_table();

    execute(base, "CREATE INDEX of_file ON tag(file)");
    return query(base, rounds);
}

static const struct {
    const char *name;
    long (*planted)(long), (*repaired)(long);
} costs[] = {{"zstd", zstd_planted, zstd_repaired},
             {"stream", stream_planted, stream_repaired},
             {"zlib", zlib_planted, zlib_repaired},
             {"deflate", deflate_planted, deflate_repaired},
             {"sqlite", sqlite_planted, sqlite_repaired}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 4 && i < sizeof costs / sizeof *costs; i++)
        if (strcmp(costs[i].name, argv[1]) == 0) {
            int is_planted = strcmp(argv[2], "planted") == 0;

            printf("%ld\n", (is_planted ? costs[i].planted : costs[i].repaired)(atol(argv[3])));
            return EXIT_SUCCESS;
        }
    return 2;
}
