/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The head of a page, with its policy and its style, and the script at its end.
 */
#include "page/outline.h"

#include "page/assets.h"

static void put_policy(struct html *html)
{
    html_put(html, "<meta http-equiv=\"Content-Security-Policy\" content=\"");
    html_put(html, "default-src 'none'; style-src 'unsafe-inline'; ");
    html_putf(html, "script-src 'sha256-%s'; ", page_script_hash);
    html_put(html, "base-uri 'none'; form-action 'none'\">\n");
}

void outline_begin(struct html *html, const char *title)
{
    html_put(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    html_put(html, "<meta charset=\"utf-8\">\n");
    put_policy(html);
    html_put(html, "<meta name=\"viewport\" content=\"width=device-width\">\n");
    html_put(html, "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html_text(html, title);
    html_put(html, " - tprof</title>\n<style>\n");
    html_put(html, page_style);
    html_put(html, "</style>\n</head>\n<body>\n");
}

void outline_end(struct html *html)
{
    html_put(html, "<script>");
    html_put(html, page_script);
    html_put(html, "</script>\n</body>\n</html>\n");
}
