/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes kernels.def from kernels.spec when tprof is built; runs on the
 * machine that builds.  Usage: generate FILE.spec > kernels.def
 *
 * The rows that it writes:
 *   FORM(number, result, parameters, types, arguments, dims, shape, ...)
 *   CLONE(number, form, result, parameters, arguments)
 *   POOL(form, first clone, clones)
 *   GENERIC_CLONE(number, result)          wrappers for kernels of users' files
 *   GENERIC_POOLS(words, reals)            the numbers of their two pools
 *   SYMBOL(name, kernel, form, owns, library)    sorted by name; owns: its FLOPs are known
 *   ADAPTED(name, kernel, adapter, terms, owns)  a kernel whose shape an adapter remembers
 *   TERM(kernel, term, place)              the terms of these
 *   TEXT(line)                             the catalog itself
 * A form is a prototype with the places of its shape; kernels that agree in
 * both share it.  A clone is one wrapper of a form, for one real function.
 *
 * Every check of the catalog is computed here: a wrong formula fails the build.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"

enum {
    FORMS_MAX = 256,
    KEY_MAX = 1024,
    SYMBOLS_MAX = 8192,
    CLONES_EACH = 1,
    CLONES_LEAST = 6,
    GENERIC_CLONES = 32
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
};

struct symbol {
    const char *name;
    const char *library;
    unsigned kernel;
    unsigned form;
    bool owns;
};

static struct form forms[FORMS_MAX];
static unsigned form_count;
static struct symbol symbols[SYMBOLS_MAX];
static unsigned symbol_count;

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

static const char *word_type(enum catalog_access access, bool is_pointer)
{
    bool is_floating = !is_pointer && (access == CATALOG_FLOAT || access == CATALOG_DOUBLE);

    return is_floating ? "real" : "word";
}

/* How the wrapper gets a shape term from argument `index`. */
static void append_term(struct form *form, const struct catalog_kernel *kernel,
                        const struct catalog_term *term, bool is_wide)
{
    static const char *const by_value[] = {"", "INT32", "INT64", "", "LETTER", "CBLAS", "", ""};
    const struct catalog_argument *argument;
    enum catalog_access access;

    if (term->argument < 0)
        fail("the built-in catalog cannot use a formula in a shape");
    argument = &kernel->arguments[term->argument];
    access = argument->access;
    if (access == CATALOG_INTEGER)
        access = is_wide ? CATALOG_INT64 : CATALOG_INT32;
    append(form->shape, form->shape[0] ? ", %s" : "%s", by_value[access], 0);
    append(form->shape, argument->is_pointer ? "%s_AT(a%u)" : "%s(a%u)", "",
           (unsigned)term->argument);
}

static void describe_form(struct form *form, const struct catalog_kernel *kernel, bool is_wide)
{
    unsigned count = kernel->argument_count + kernel->hidden;

    memset(form, 0, sizeof *form);
    snprintf(form->result, sizeof form->result, "%s", word_type(kernel->result, false));
    for (unsigned i = 0; i < count; i++) {
        const struct catalog_argument *argument = &kernel->arguments[i];
        const char *type =
            i < kernel->argument_count ? word_type(argument->access, argument->is_pointer) : "word";

        append(form->parameters, i ? ", %s a%u" : "%s a%u", type, i);
        append(form->types, i ? ", %s" : "%s", type, 0);
        append(form->arguments, i ? ", %sa%u" : "%sa%u", "", i);
    }
    for (unsigned i = 0; i < kernel->shape_count; i++)
        append_term(form, kernel, &kernel->shape[i], is_wide);
    form->dims = kernel->shape_count;
    append(form->key, "%s|", form->result, 0);
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

static void gather_symbols(const struct catalog *catalog)
{
    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog->kernels[i];

        for (unsigned j = 0; j < kernel->symbol_count; j++) {
            struct form form;
            struct symbol *symbol = &symbols[symbol_count];

            if (symbol_count++ == SYMBOLS_MAX)
                fail("there are too many symbols");
            describe_form(&form, kernel, kernel->symbols[j].is_wide);
            symbol->name = kernel->symbols[j].name;
            symbol->library = kernel->symbols[j].library;
            symbol->kernel = i;
            symbol->owns = kernel->accuracy != CATALOG_UNKNOWN;
            symbol->form = intern_form(&form);
            forms[symbol->form].symbol_count++;
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

static int compare_symbols(const void *a, const void *b)
{
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

static void print_forms(void)
{
    for (unsigned i = 0; i < form_count; i++)
        printf("FORM(%u, %s, (struct binding *binding, %s), (%s), (%s), %u, %s)\n", i,
               forms[i].result, forms[i].parameters, forms[i].types, forms[i].arguments,
               forms[i].dims, forms[i].shape);
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

static void print_generic_clones(unsigned first)
{
    for (unsigned i = 0; i < 2 * GENERIC_CLONES; i++)
        printf("GENERIC_CLONE(%u, %s)\n", first + i, i < GENERIC_CLONES ? "word" : "real");
}

/* Returns: the number of clones of all forms. */
static unsigned print_pools(void)
{
    unsigned first = 0;

    for (unsigned i = 0; i < form_count; i++) {
        printf("POOL(%u, %u, %u)\n", i, first, clone_count(&forms[i]));
        first += clone_count(&forms[i]);
    }
    printf("POOL(%u, %u, %u)\n", form_count, first, GENERIC_CLONES);
    printf("POOL(%u, %u, %u)\n", form_count + 1, first + GENERIC_CLONES, GENERIC_CLONES);
    return first;
}

static void print_symbols(void)
{
    qsort(symbols, symbol_count, sizeof *symbols, compare_symbols);
    for (unsigned i = 0; i < symbol_count; i++) {
        if (i > 0 && strcmp(symbols[i].name, symbols[i - 1].name) == 0)
            fail("two kernels have the same symbol");
        printf("SYMBOL(\"%s\", %u, %u, %s, ", symbols[i].name, symbols[i].kernel, symbols[i].form,
               symbols[i].owns ? "true" : "false");
        if (symbols[i].library)
            printf("\"%s\")\n", symbols[i].library);
        else
            printf("NULL)\n");
    }
}

static void print_adapted(const struct catalog *catalog)
{
    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog->kernels[i];

        if (kernel->adapter)
            printf("ADAPTED(%s, %u, %s, %u, %s)\n", kernel->name, i, kernel->adapter,
                   kernel->shape_count, kernel->accuracy != CATALOG_UNKNOWN ? "true" : "false");
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

static void print_text(const char *text, size_t size)
{
    size_t i = 0;

    while (i < size) {
        printf("TEXT(\"");
        for (; i < size && text[i] != '\n'; i++)
            printf(text[i] == '"' || text[i] == '\\' ? "\\%c" : "%c", text[i]);
        printf("\\n\")\n");
        i++;
    }
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
    static char memory[16 << 20];
    struct catalog_arena arena = {memory, sizeof memory, 0};
    struct catalog catalog = {0};
    struct catalog_error error;
    size_t size;
    unsigned clones;
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
    clones = print_pools();
    printf("#endif\n#ifdef GENERIC_CLONE\n");
    print_generic_clones(clones);
    printf("#endif\n#ifdef GENERIC_POOLS\nGENERIC_POOLS(%u, %u)\n", form_count, form_count + 1);
    printf("#endif\n#ifdef SYMBOL\n");
    print_symbols();
    printf("#endif\n#ifdef ADAPTED\n");
    print_adapted(&catalog);
    printf("#endif\n#ifdef TERM\n");
    print_terms(&catalog);
    printf("#endif\n#ifdef TEXT\n");
    print_text(text, size);
    printf("#endif\n");
    return fflush(stdout) != 0;
}
