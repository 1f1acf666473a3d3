/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes kernels.def from kernels.spec when tprof is built; runs on the
 * machine that builds.  Usage: generate FILE.spec > kernels.def
 *
 * The rows that it writes:
 *   FORM(number, result, parameters, types, arguments, dims, shape, ...)
 *   SAMPLED_FORM(number, result, parameters, types, arguments,
 *                timed parameters, timed arguments, dims, shape, ...)
 *   CLONE(number, form, result, parameters, arguments)
 *   POOL(form, first clone, clones)
 *   PLAN(number, step count, words, integers, keeps reals, has no proto, (steps))
 *   SYMBOL(hash, kernel, COMPILED or PLANNED, form or plan, owns, is sampled, library, name)
 *                                          sorted by name; owns: its FLOPs are known; the
 *                                          name's place in all NAMEs, the library's number
 *   NAME(name), LIBRARY(glob)              the names in that order; the globs, from 1
 *   PLACES(count), PLACE(place, symbol)    the index: from the hash of a name onwards
 *   START(word, bits)                      the first two characters of all names, a bit each
 *   FILTER_BITS(count), FILTER(word, bits)   the same for the hashes, without their lowest bit
 *   ADAPTED(name, kernel, terms, owns)     a kernel whose shape an adapter remembers
 *   TERM(kernel, term, place)              the terms of these
 *   TEXT(line), PACKED(byte)               the catalog itself
 *   FAMILY(line), KERNELS(count)           for a user's text: the families, and the number of
 *                                          kernels before the user's
 *   ONEDNN(line)                           the section of oneDNN, for logs that are imported
 * A form is a prototype with the places of its shape; kernels that agree in both share it.  A clone
 * is one wrapper of a form, for one real function.  Kernels without a compiled wrapper have a plan
 * (plan.h) instead of a form.
 *
 * Every check of the catalog is computed here: a wrong formula fails the build.
 *
 * Decisions: doc/decisions/packed-catalog, catalog-at-start.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_ZSTD
#include <zstd.h>
#endif

#include "catalog.h"
#include "catalog_read.h"
#include "plan.h"

enum {
    FORMS_MAX = 256,
    KEY_MAX = 1024,
    SYMBOLS_MAX = 16384,
    CLONES_EACH = 1,
    CLONES_LEAST = 6,
    PLANS_MAX = 2048,
    LIBRARIES_MAX = 8,
    PLACES = 2 * SYMBOLS_MAX,
    FILTER_BITS = 1 << 17
};

struct form {
    char key[KEY_MAX];
    char result[16];
    char parameters[KEY_MAX];
    char types[KEY_MAX];
    char arguments[KEY_MAX];
    char shape[KEY_MAX];
    unsigned dims;
    unsigned symbol_count;
    bool is_sampled;
};

struct made_plan {
    struct plan plan;
    struct plan_step steps[PLAN_STEPS_MAX];
};

struct symbol {
    const char *name;
    const char *library;
    unsigned kernel;
    unsigned form; /* or plan */
    bool owns;
    bool is_sampled;
    bool is_compiled;
};

static struct form forms[FORMS_MAX];
static unsigned form_count;
static struct made_plan plans[PLANS_MAX];
static unsigned plan_count;
static struct symbol symbols[SYMBOLS_MAX];
static unsigned symbol_count;
static const char *libraries[LIBRARIES_MAX];
static unsigned library_count;

static void fail(const char *what)
{
    fprintf(stderr, "generate: %s\n", what);
    exit(1);
}

static void append(char *text, const char *format, const char *word, unsigned number)
{
    size_t used = strlen(text);

    if ((size_t)snprintf(text + used, KEY_MAX - used, format, word, number) >= KEY_MAX - used)
        fail("a prototype is too long");
}

static const char *argument_type(const struct catalog_argument *argument)
{
    if (!argument->is_pointer && argument->access >= CATALOG_FLOAT_COMPLEX)
        fail("a compiled wrapper takes no complex number by value");
    return plan_is_real(argument) ? "real" : "word";
}

static const char *result_type(enum catalog_access access)
{
    switch (access) {
    case CATALOG_FLOAT:
    case CATALOG_DOUBLE: return "real";
    case CATALOG_FLOAT_COMPLEX: return "float_complex";
    case CATALOG_DOUBLE_COMPLEX: return "double_complex";
    case CATALOG_NONE:
    case CATALOG_INT8:
    case CATALOG_UINT8:
    case CATALOG_INT16:
    case CATALOG_UINT16:
    case CATALOG_INT32:
    case CATALOG_INT64:
    case CATALOG_UINT32:
    case CATALOG_UINT64:
    case CATALOG_INTEGER:
    case CATALOG_LETTER:
    case CATALOG_CBLAS: break;
    }
    return "word";
}

/* How the wrapper gets a shape term from an argument. */
static void append_value(struct form *form, const struct catalog_argument *argument, unsigned index,
                         bool is_wide)
{
    static const char *const by_value[] = {
        [CATALOG_INT32] = "INT32",
        [CATALOG_INT64] = "INT64",
        [CATALOG_LETTER] = "LETTER",
        [CATALOG_CBLAS] = "CBLAS",
    };

    append(form->shape, form->shape[0] ? ", %s" : "%s",
           by_value[plan_width(argument->access, is_wide)], 0);
    append(form->shape, argument->is_pointer ? "%s_AT(a%u)" : "%s(a%u)", "", index);
}

static void append_flag(char *flags, const struct catalog_argument *argument, unsigned index,
                        unsigned bit)
{
    static const char *const names[] = {
        [CATALOG_FLOAT] = "CATALOG_FLOAT",
        [CATALOG_DOUBLE] = "CATALOG_DOUBLE",
        [CATALOG_FLOAT_COMPLEX] = "CATALOG_FLOAT_COMPLEX",
        [CATALOG_DOUBLE_COMPLEX] = "CATALOG_DOUBLE_COMPLEX",
    };

    if (argument->access < CATALOG_FLOAT)
        fail("a flag of a compiled wrapper is a floating argument");
    append(flags, flags[0] ? " | %s(" : "%s(", argument->is_pointer ? "FLAG_AT" : "FLAG", 0);
    append(flags, "%s, a%u", names[argument->access], index);
    append(flags, ", %s%u)", "", bit);
}

static void describe_shape(struct form *form, const struct catalog_kernel *kernel, bool is_wide)
{
    char flags[KEY_MAX] = "";
    unsigned bit = 0;

    for (unsigned i = 0; i < kernel->shape_count; i++) {
        const struct catalog_term *term = &kernel->shape[i];

        if (term->argument < 0)
            fail("the shape of a compiled wrapper has no formulas");
        if (term->is_flag)
            append_flag(flags, &kernel->arguments[term->argument], (unsigned)term->argument, bit++);
        else
            append_value(form, &kernel->arguments[term->argument], (unsigned)term->argument,
                         is_wide);
    }
    if (flags[0])
        append(form->shape, form->shape[0] ? ", %s" : "%s", flags, 0);
    form->dims = catalog_count_words(kernel);
}

static void describe_form(struct form *form, const struct catalog_kernel *kernel, bool is_wide)
{
    unsigned count = kernel->argument_count + kernel->hidden;

    memset(form, 0, sizeof *form);
    snprintf(form->result, sizeof form->result, "%s", result_type(kernel->result));
    for (unsigned i = 0; i < count; i++) {
        const char *type =
            i < kernel->argument_count ? argument_type(&kernel->arguments[i]) : "word";

        append(form->parameters, i ? ", %s a%u" : "%s a%u", type, i);
        append(form->types, i ? ", %s" : "%s", type, 0);
        append(form->arguments, i ? ", %sa%u" : "%sa%u", "", i);
    }
    describe_shape(form, kernel, is_wide);
    form->is_sampled = kernel->is_sampled;
    append(form->key, kernel->is_sampled ? "sampled %s|" : "%s|", form->result, 0);
    append(form->key, "%s|", form->types, 0);
    append(form->key, "%s", form->shape, 0);
}

static unsigned intern_form(const struct form *form)
{
    for (unsigned i = 0; i < form_count; i++)
        if (strcmp(forms[i].key, form->key) == 0)
            return i;
    if (form_count == FORMS_MAX)
        fail("there are too many forms");
    forms[form_count] = *form;
    return form_count++;
}

static bool is_same_plan(const struct made_plan *a, const struct made_plan *b)
{
    return a->plan.step_count == b->plan.step_count && a->plan.integers == b->plan.integers &&
           a->plan.keeps_reals == b->plan.keeps_reals && a->plan.words == b->plan.words &&
           memcmp(a->steps, b->steps, a->plan.step_count * sizeof *a->steps) == 0;
}

static unsigned intern_plan(const struct catalog_kernel *kernel, bool is_wide)
{
    struct made_plan *made = &plans[plan_count];
    const char *obstacle;

    if (plan_count == PLANS_MAX - 1)
        fail("there are too many plans");
    memset(made, 0, sizeof *made);
    obstacle = plan_make(&made->plan, made->steps, kernel, is_wide);
    if (obstacle)
        fail(obstacle);
    for (unsigned i = 0; i < plan_count; i++)
        if (is_same_plan(&plans[i], made))
            return i;
    return plan_count++;
}

static unsigned form_of(const struct catalog_kernel *kernel, bool is_wide)
{
    struct form form;
    unsigned number;

    if (!kernel->is_compiled)
        return intern_plan(kernel, is_wide);
    describe_form(&form, kernel, is_wide);
    number = intern_form(&form);
    forms[number].symbol_count++;
    return number;
}

static void gather_symbols(const struct catalog *catalog)
{
    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog->kernels[i];

        for (unsigned j = 0; j < kernel->symbol_count; j++) {
            struct symbol *symbol = &symbols[symbol_count];

            if (symbol_count++ == SYMBOLS_MAX)
                fail("there are too many symbols");
            *symbol = (struct symbol){.name = kernel->symbols[j].name,
                                      .library = kernel->symbols[j].library,
                                      .kernel = i,
                                      .form = form_of(kernel, kernel->symbols[j].is_wide),
                                      .owns = kernel->accuracy != CATALOG_UNKNOWN,
                                      .is_sampled = kernel->is_sampled,
                                      .is_compiled = kernel->is_compiled};
        }
    }
}

static void verify_checks(const struct catalog *catalog)
{
    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog->kernels[i];

        for (unsigned j = 0; j < kernel->check_count; j++) {
            long double flops = catalog_evaluate(&kernel->flops, kernel->checks[j].shape);

            if (flops == kernel->checks[j].flops)
                continue;
            fprintf(stderr,
                    "generate: kernel %s, check %u: the formula gives %.0Lf, the check says %.0f\n",
                    kernel->name, j + 1, flops, kernel->checks[j].flops);
            exit(1);
        }
    }
}

/* The hash of GNU hash sections, so it can be used there, too. */
static unsigned gnu_hash(const char *name)
{
    unsigned hash = 5381;

    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

static int compare_symbols(const void *a, const void *b)
{
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

static void print_form(unsigned number, const struct form *form)
{
    printf("%s(%u, %s, (struct binding *binding, %s), (%s), (%s), ",
           form->is_sampled ? "SAMPLED_FORM" : "FORM", number, form->result, form->parameters,
           form->types, form->arguments);
    if (form->is_sampled)
        printf("(struct binding *binding, uintptr_t site, %s), (binding, site, %s), ",
               form->parameters, form->arguments);
    printf("%u, %s)\n", form->dims, form->shape);
}

static void print_forms(void)
{
    for (unsigned i = 0; i < form_count; i++)
        print_form(i, &forms[i]);
}

static void print_plans(void)
{
    for (unsigned i = 0; i < plan_count; i++) {
        const struct made_plan *made = &plans[i];

        printf("PLAN(%u, %u, %u, %u, %d, %d, (", i, made->plan.step_count, made->plan.words,
               made->plan.integers, made->plan.keeps_reals, made->plan.has_no_proto);
        for (unsigned j = 0; j < made->plan.step_count; j++)
            printf("{%u, %u, %u, %d, %d}, ", made->steps[j].operation, made->steps[j].place,
                   made->steps[j].access, made->steps[j].is_pointer, made->steps[j].number);
        printf("{0, 0, 0, 0, 0}))\n"); /* an array is never empty */
    }
}

static unsigned clone_count(const struct form *form)
{
    return CLONES_LEAST + CLONES_EACH * form->symbol_count;
}

static void print_clones(void)
{
    unsigned number = 0;

    for (unsigned i = 0; i < form_count; i++)
        for (unsigned j = 0; j < clone_count(&forms[i]); j++)
            printf("CLONE(%u, %u, %s, (%s), (binding, %s))\n", number++, i, forms[i].result,
                   forms[i].parameters, forms[i].arguments);
}

static void print_pools(void)
{
    unsigned first = 0;

    for (unsigned i = 0; i < form_count; i++) {
        printf("POOL(%u, %u, %u)\n", i, first, clone_count(&forms[i]));
        first += clone_count(&forms[i]);
    }
}

static unsigned intern_library(const char *library)
{
    unsigned i = 0;

    if (!library)
        return 0;
    while (i < library_count && strcmp(libraries[i], library) != 0)
        i++;
    if (i == LIBRARIES_MAX)
        fail("there are too many globs of libraries");
    libraries[i] = library;
    if (i == library_count)
        library_count++;
    return i + 1;
}

static void print_symbol(const struct symbol *symbol, unsigned name)
{
    printf("SYMBOL(%uu, %u, %s, %u, %d, %d, %u, %u)\n", gnu_hash(symbol->name), symbol->kernel,
           symbol->is_compiled ? "COMPILED" : "PLANNED", symbol->form, symbol->owns,
           symbol->is_sampled, intern_library(symbol->library), name);
}

static void print_symbols(void)
{
    unsigned name = 0;

    qsort(symbols, symbol_count, sizeof *symbols, compare_symbols);
    for (unsigned i = 0; i < symbol_count; i++) {
        if (i > 0 && strcmp(symbols[i].name, symbols[i - 1].name) == 0)
            fail("two kernels have the same symbol");
        print_symbol(&symbols[i], name);
        name += (unsigned)strlen(symbols[i].name) + 1;
    }
}

static void print_names(void)
{
    for (unsigned i = 0; i < symbol_count; i++)
        printf("NAME(\"%s\")\n", symbols[i].name);
}

static void print_libraries(void)
{
    for (unsigned i = 0; i < library_count; i++)
        printf("LIBRARY(\"%s\")\n", libraries[i]);
}

/* If a place is used, the next is tried. */
static void print_places(void)
{
    static bool is_taken[PLACES];

    for (unsigned i = 0; i < symbol_count; i++) {
        unsigned place = gnu_hash(symbols[i].name) % PLACES;

        while (is_taken[place])
            place = (place + 1) % PLACES;
        is_taken[place] = true;
        printf("PLACE(%u, %u)\n", place, i);
    }
}

static void print_starts(void)
{
    static unsigned long long words[65536 / 64];

    for (unsigned i = 0; i < symbol_count; i++) {
        unsigned start =
            (unsigned)(unsigned char)symbols[i].name[0] << 8 | (unsigned char)symbols[i].name[1];

        words[start / 64] |= 1ull << start % 64;
    }
    for (unsigned i = 0; i < 65536 / 64; i++)
        if (words[i] != 0)
            printf("START(%u, 0x%llxu)\n", i, words[i]);
}

static void print_filter(void)
{
    static unsigned long long words[FILTER_BITS / 64];

    for (unsigned i = 0; i < symbol_count; i++) {
        unsigned bit = gnu_hash(symbols[i].name) / 2 % FILTER_BITS;

        words[bit / 64] |= 1ull << bit % 64;
    }
    for (unsigned i = 0; i < FILTER_BITS / 64; i++)
        if (words[i] != 0)
            printf("FILTER(%u, 0x%llxu)\n", i, words[i]);
}

static void print_adapted(const struct catalog *catalog)
{
    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog->kernels[i];

        if (kernel->adapter)
            printf("ADAPTED(%s, %u, %u, %d)\n", kernel->name, i, kernel->shape_count,
                   kernel->accuracy != CATALOG_UNKNOWN);
    }
}

static void print_terms(const struct catalog *catalog)
{
    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog->kernels[i];

        for (unsigned j = 0; kernel->adapter && j < kernel->shape_count; j++)
            printf("TERM(%s, %s, %u)\n", kernel->name, kernel->shape[j].name, j);
    }
}

static void print_line(const char *row, const char *line, size_t length)
{
    printf("%s(\"", row);
    for (size_t i = 0; i < length; i++)
        printf(line[i] == '"' || line[i] == '\\' ? "\\%c" : "%c", line[i]);
    printf("\\n\")\n");
}

static void print_text(const char *text, size_t size)
{
    for (size_t i = 0, length; i < size; i += length + 1) {
        length = strcspn(text + i, "\n");
        print_line("TEXT", text + i, length);
    }
}

/* A paragraph ends where another line begins in its first column. */
static void print_families(const char *text, size_t size)
{
    bool is_family = false;

    for (size_t i = 0, length; i < size; i += length + 1) {
        length = strcspn(text + i, "\n");
        if (length > 0 && !strchr(" \t#", text[i]))
            is_family = strncmp(text + i, "family ", strlen("family ")) == 0;
        if (is_family && length > 0 && text[i] != '#')
            print_line("FAMILY", text + i, length);
    }
}

/* A section begins at its heading and ends at the next one. */
static void print_section(const char *row, const char *text, size_t size, const char *name)
{
    static const char heading[] = "# ---- ";
    size_t heading_length = strlen(heading);
    bool is_on = false;
    bool is_found = false;

    for (size_t i = 0, length; i < size; i += length + 1) {
        length = strcspn(text + i, "\n");
        if (strncmp(text + i, heading, heading_length) == 0)
            is_on = strncmp(text + i + heading_length, name, strlen(name)) == 0;
        is_found = is_found || is_on;
        if (is_on)
            print_line(row, text + i, length);
    }
    if (!is_found)
        fail("a section of the catalog is missing");
}

/* Each trace gets the packed text, a tenth of its size; a build without the library has none. */
static void print_packed(const char *text, size_t size)
{
#ifdef WITH_ZSTD
    static unsigned char packed[1 << 20];
    size_t packed_size = ZSTD_compress(packed, sizeof packed, text, size, ZSTD_maxCLevel());

    if (ZSTD_isError(packed_size))
        fail("cannot pack the catalog");
    for (size_t i = 0; i < packed_size; i++)
        printf("PACKED(%u)\n", packed[i]);
#else
    (void)text;
    (void)size;
#endif
}

static char *read_file(const char *path, size_t *size)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");

    if (!file)
        fail("cannot open the catalog");
    *size = fread(text, 1, sizeof text, file);
    if (ferror(file) || *size == sizeof text)
        fail("cannot read the catalog");
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    static char memory[CATALOG_ARENA_SIZE];
    struct catalog_arena arena = {memory, sizeof memory, 0};
    struct catalog catalog = {0};
    struct catalog_error error;
    size_t size;
    const char *text;

    if (argc != 2)
        fail("usage: generate FILE.spec");
    text = read_file(argv[1], &size);
    if (!catalog_read(&catalog, &arena, text, size, &error)) {
        fprintf(stderr, "%s:%u:%u: %s\n", argv[1], error.line, error.column, error.text);
        return 1;
    }
    verify_checks(&catalog);
    gather_symbols(&catalog);
    printf("/* Made from kernels.spec by generate; do not edit. */\n");
    printf("#ifdef FORM\n");
    print_forms();
    printf("#endif\n#ifdef CLONE\n");
    print_clones();
    printf("#endif\n#ifdef POOL\n");
    print_pools();
    printf("#endif\n#ifdef PLAN\n");
    print_plans();
    printf("#endif\n#ifdef SYMBOL\n");
    print_symbols();
    printf("#endif\n#ifdef NAME\n");
    print_names();
    printf("#endif\n#ifdef LIBRARY\n");
    print_libraries();
    printf("#endif\n#ifdef PLACES\nPLACES(%u)\n", PLACES);
    printf("#endif\n#ifdef PLACE\n");
    print_places();
    printf("#endif\n#ifdef START\n");
    print_starts();
    printf("#endif\n#ifdef FILTER_BITS\nFILTER_BITS(%u)\n", FILTER_BITS);
    printf("#endif\n#ifdef FILTER\n");
    print_filter();
    printf("#endif\n#ifdef ADAPTED\n");
    print_adapted(&catalog);
    printf("#endif\n#ifdef TERM\n");
    print_terms(&catalog);
    printf("#endif\n#ifdef TEXT\n");
    print_text(text, size);
    printf("#endif\n#ifdef FAMILY\n");
    print_families(text, size);
    printf("#endif\n#ifdef ONEDNN\n");
    print_section("ONEDNN", text, size, "oneDNN ");
    printf("#endif\n#ifdef KERNELS\nKERNELS(%u)\n", catalog.kernel_count);
    printf("#endif\n#ifdef PACKED\n");
    print_packed(text, size);
    printf("#endif\n");
    return fflush(stdout) != 0;
}
