/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof kernels: check catalog files.  A mistake is reported as FILE:LINE:COLUMN with its line; a
 * failing check, with both numbers.  With a command, tprof runs that program to list the hooked
 * symbols.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/trial.h"
#include "model/machine.h"
#include "spec/catalog.h"
#include "spec/catalog_read.h"

enum { FILE_MAX = 4 << 20 };

static enum status read_text(const char *path, struct text *text, struct diagnostic *diagnostic)
{
    char piece[8192];
    size_t size;
    FILE *file = fopen(path, "r");

    if (!file)
        return diagnostic_set(diagnostic, STATUS_IO, "%.200s: %s", path, strerror(errno));
    while ((size = fread(piece, 1, sizeof piece, file)) > 0 && text->size < FILE_MAX)
        text_append_bytes(text, piece, size);
    if (ferror(file))
        diagnostic_set(diagnostic, STATUS_IO, "%.200s: %s", path, strerror(errno));
    size = ferror(file) ? 1 : 0;
    fclose(file);
    if (size != 0)
        return STATUS_IO;
    return STATUS_OK;
}

/* A mark under the column; tabs are as wide here as in the line above. */
static void show_mark(const char *line, unsigned column)
{
    fputs("    ", stderr);
    for (unsigned i = 1; i < column && line[i - 1] != '\n' && line[i - 1] != '\0'; i++)
        if (((unsigned char)line[i - 1] & 0xC0) != 0x80) /* not inside a character of UTF-8 */
            fputc(line[i - 1] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
}

static void show_line(const char *text, const struct catalog_error *error)
{
    for (unsigned line = 1; line < error->line && text; line++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text)
        return;
    fprintf(stderr, "    %.*s\n", (int)strcspn(text, "\n"), text);
    show_mark(text, error->column);
}

static enum status verify(const char *path, const struct catalog *catalog,
                          struct diagnostic *diagnostic)
{
    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog->kernels[i];

        for (unsigned j = 0; j < kernel->check_count; j++) {
            long double flops = catalog_evaluate(&kernel->flops, kernel->checks[j].shape);

            if (flops != kernel->checks[j].flops)
                return diagnostic_set(
                    diagnostic, STATUS_CORRUPT,
                    "%.200s: kernel %s, check %u: the formula gives %.10Lg, the check says %.10g",
                    path, kernel->name, j + 1, flops, kernel->checks[j].flops);
        }
    }
    return STATUS_OK;
}

/* ", precision i8"; the precision may depend on the call. */
static void print_precision(const struct catalog_kernel *kernel)
{
    static const int64_t no_shape[CATALOG_SHAPE_MAX];
    const char *name =
        machine_precision_name((enum machine_precision)catalog_find_precision(kernel, no_shape));

    if (kernel->precision.count == 1)
        printf(", precision %s", name ? name : "unknown");
    else if (kernel->precision.count > 1)
        printf(", precision by the shape");
}

static void print_kernels(const struct catalog *catalog)
{
    static const char *const accuracies[] = {"unknown", "exact", "nominal", "upper"};

    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog->kernels[i];

        printf("%s: %u symbol%s, shape", kernel->name, kernel->symbol_count,
               units_choose(kernel->symbol_count, "", "s"));
        for (unsigned j = 0; j < kernel->shape_count; j++)
            printf(" %s", kernel->shape[j].name);
        printf(", FLOPs %s", accuracies[kernel->accuracy]);
        print_precision(kernel);
        printf(", %u check%s passed\n", kernel->check_count,
               units_choose(kernel->check_count, "", "s"));
    }
}

/* The texts of all files are one catalog, like in the shim: a later file may use the families of an
 * earlier one. */
struct files {
    struct catalog catalog;
    struct catalog_arena arena;
};

static enum status check_text(struct files *files, const char *path, const struct text *text,
                              struct diagnostic *diagnostic)
{
    struct catalog own = files->catalog;
    struct catalog_error error;
    unsigned before = files->catalog.kernel_count;
    unsigned families = files->catalog.family_count;

    if (!catalog_read(&files->catalog, &files->arena, text->bytes, text->size, &error)) {
        diagnostic_set(diagnostic, STATUS_CORRUPT, "%.200s:%u:%u: %s", path, error.line,
                       error.column, error.text);
        show_line(text->bytes, &error);
        return STATUS_CORRUPT;
    }
    if (files->catalog.kernel_count == before && files->catalog.family_count == families)
        return diagnostic_set(diagnostic, STATUS_CORRUPT, "%.200s: there is no kernel in it", path);
    own.kernels = files->catalog.kernels + before;
    own.kernel_count = files->catalog.kernel_count - before;
    enum status status = verify(path, &own, diagnostic);
    if (!status)
        print_kernels(&own);
    return status;
}

static enum status check_file(struct files *files, const char *path, struct diagnostic *diagnostic)
{
    struct text text;
    enum status status;

    text_init(&text);
    status = read_text(path, &text, diagnostic);
    if (!status)
        status = check_text(files, path, &text, diagnostic);
    text_fini(&text);
    return status;
}

static enum status check_files(struct files *files, char **paths, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    files->catalog.refuses_adapters = files->catalog.refuses_twice = true;
    files->arena = (struct catalog_arena){memory_get(CATALOG_ARENA_SIZE), CATALOG_ARENA_SIZE, 0};
    for (; *paths && !status; paths++)
        status = check_file(files, *paths, diagnostic);
    return status;
}

static void print_help(void)
{
    printf("Usage: tprof kernels FILE... [-- COMMAND [ARGUMENT...]]\n"
           "Check catalog files and list their kernels.  With a command, run the command and\n"
           "list which kernels would be hooked in it, and the reasons for the others.\n"
           "tprof-kernels(5) explains the language.\n");
}

/* Returns: the command behind "--", or NULL; the paths before it end there. */
static char **split(char **arguments)
{
    for (; *arguments; arguments++)
        if (strcmp(*arguments, "--") == 0) {
            *arguments = NULL;
            return arguments + 1;
        }
    return NULL;
}

enum status cmd_kernels(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct files files = {0};
    char **command;
    enum status status;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help();
        return STATUS_OK;
    }
    command = split(argv + 1);
    if (argc < 2 || !argv[1])
        return diagnostic_set(&outcome->diagnostic, STATUS_USAGE,
                              "kernels: no file was given; tprof kernels FILE... [-- COMMAND]");
    if (command && !*command)
        return diagnostic_set(&outcome->diagnostic, STATUS_USAGE,
                              "kernels: no command was given after --");
    status = check_files(&files, argv + 1, &outcome->diagnostic);
    if (!status && command)
        status = trial_run(argv + 1, &files.catalog, command, outcome);
    free(files.arena.base);
    return status ? status : render_finish(stdout, &outcome->diagnostic);
}
