/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A report as a page in a file of its own.
 */
#include "cmd/page_file.h"

#include <stdio.h>

#include "cmd/destination.h"
#include "page/document_page.h"
#include "render/render.h"

enum status page_file_write(const struct document *document, const char *title, const char *path,
                            bool may_overwrite, struct diagnostic *diagnostic)
{
    FILE *out;
    enum status status;

    if (!path)
        return STATUS_OK;
    status = destination_open(&out, path, may_overwrite, diagnostic);
    if (status)
        return status;
    document_page_write(document, title, out);
    status = render_finish(out, diagnostic);
    return destination_close(out, status, path, diagnostic);
}
