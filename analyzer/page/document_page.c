/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A report as a page.
 */
#include "page/document_page.h"

#include "page/html.h"
#include "page/outline.h"
#include "page/tables.h"

void document_page_write(const struct document *document, const char *title, FILE *out)
{
    struct html html;

    html_init(&html, out);
    html.is_overview = html.has_title = true;
    outline_begin(&html, title);
    html_put(&html, "<main>\n<h1>");
    html_text(&html, title);
    html_put(&html, "</h1>\n");
    tables_put_document(&html, document);
    html_put(&html, "</main>\n");
    outline_end(&html);
}
