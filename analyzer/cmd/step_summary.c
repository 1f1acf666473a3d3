/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The summary of a step of GitHub Actions.  GitHub takes 1 MiB for a step, and nothing of a larger
 * file, so a summary that does not fit is left out.
 *
 * To read: "Adding a job summary" in GitHub's documentation.
 */
#include "cmd/step_summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "document/document.h"
#include "render/render.h"

enum { SUMMARY_MOST = 1024 * 1024, ROWS_MOST = 200 };

static void cut_tables(struct document *document)
{
    struct table *main = document_main_table(document);

    if (main && table_row_count(main) > ROWS_MOST)
        table_truncate(main, ROWS_MOST);
}

/* Returns: the page, for the caller to free. */
static char *make_page(const struct document *document, const char *title, size_t *size)
{
    const struct render_options options = {.unicode = true};
    struct diagnostic unused;
    char *page = NULL;
    FILE *out = memory_have(open_memstream(&page, size));

    fprintf(out, "## %s\n\n", title);
    if (renderer_markdown.document(document, &options, out, &unused))
        memory_have(NULL); /* memory is all that it needs */
    fputc('\n', out);
    fclose(out);
    return page;
}

static enum status fail_to_write(const char *path, struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_IO, "cannot write $GITHUB_STEP_SUMMARY, %.300s: %s",
                          path, strerror(errno));
}

static enum status append_page(const char *path, const char *page, size_t size,
                               struct diagnostic *diagnostic)
{
    FILE *file = fopen(path, "ae");
    bool is_whole, fits;

    if (!file)
        return fail_to_write(path, diagnostic);
    fits = fseeko(file, 0, SEEK_END) != 0 || ftello(file) + (off_t)size <= SUMMARY_MOST;
    is_whole = !fits || fwrite(page, 1, size, file) == size;
    is_whole = fclose(file) == 0 && is_whole;
    if (!is_whole)
        return fail_to_write(path, diagnostic);
    if (!fits)
        cmd_tell(
            "the summary of the step is left out: GitHub takes 1 MiB for a step; --limit makes "
            "it smaller");
    return STATUS_OK;
}

enum status step_summary_add(struct document *document, const char *title,
                             struct diagnostic *diagnostic)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    enum status status;
    char *page;
    size_t size;

    if (!path || !*path)
        return STATUS_OK;
    cut_tables(document);
    page = make_page(document, title, &size);
    status = append_page(path, page, size, diagnostic);
    free(page);
    return status;
}
