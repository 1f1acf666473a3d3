/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof kernels: check catalog files.  A mistake is told as
 * FILE:LINE:COLUMN with the line shown; a check that fails, with both numbers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "spec/catalog.h"

enum { MEMORY_SIZE = 16 << 20, FILE_MAX = 4 << 20 };

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
    return text_status(text) ? diagnostic_set_out_of_memory(diagnostic) : STATUS_OK;
}

/* Show the line and a mark under the column. */
static void show_line(const char *text, const struct catalog_error *error)
{
    for (unsigned line = 1; line < error->line && text; line++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text)
        return;
    fprintf(stderr, "    %.*s\n    %*s\n", (int)strcspn(text, "\n"), text, (int)error->column, "^");
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

static void print_kernels(const struct catalog *catalog)
{
    static const char *const accuracies[] = {"unknown", "exact", "nominal", "upper"};

    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog->kernels[i];

        printf("%s: %u symbol%s, shape", kernel->name, kernel->symbol_count,
               kernel->symbol_count == 1 ? "" : "s");
        for (unsigned j = 0; j < kernel->shape_count; j++)
            printf(" %s", kernel->shape[j].name);
        printf(", FLOPs %s, %u check%s passed\n", accuracies[kernel->accuracy], kernel->check_count,
               kernel->check_count == 1 ? "" : "s");
    }
}

static enum status check_text(const char *path, const char *text, size_t size,
                              struct diagnostic *diagnostic)
{
    struct catalog_arena arena = {malloc(MEMORY_SIZE), MEMORY_SIZE, 0};
    struct catalog catalog = {0};
    struct catalog_error error;
    enum status status = STATUS_OK;

    if (!arena.base)
        return diagnostic_set_out_of_memory(diagnostic);
    if (catalog_read(&catalog, &arena, text, size, &error))
        status = verify(path, &catalog, diagnostic);
    else {
        status = diagnostic_set(diagnostic, STATUS_CORRUPT, "%.200s:%u:%u: %s", path, error.line,
                                error.column, error.text);
        show_line(text, &error);
    }
    if (!status)
        print_kernels(&catalog);
    free(arena.base);
    return status;
}

static enum status check_file(const char *path, struct diagnostic *diagnostic)
{
    struct text text;
    enum status status;

    text_init(&text);
    status = read_text(path, &text, diagnostic);
    if (!status)
        status = check_text(path, text.bytes, text.size, diagnostic);
    text_fini(&text);
    return status;
}

enum status cmd_kernels(int argc, char **argv, struct cmd_outcome *outcome)
{
    enum status status = STATUS_OK;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        printf("Usage: tprof kernels FILE...\nCheck catalog files and list their kernels; "
               "tprof-kernels(5) explains the language.\n");
        return STATUS_OK;
    }
    if (argc < 2)
        return diagnostic_set(&outcome->diagnostic, STATUS_USAGE,
                              "kernels: no file was given; tprof kernels FILE...");
    for (int i = 1; i < argc && !status; i++)
        status = check_file(argv[i], &outcome->diagnostic);
    return status ? status : render_finish(stdout, &outcome->diagnostic);
}
