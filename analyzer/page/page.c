/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page from its first byte to its last: the output of `tprof report`, the parts of parts.def,
 * and the contents of the trace.
 *
 * Tables come first in the file and need no script.  A policy in its head forbids any network, and
 * any script except tprof's own, whose hash it contains.
 *
 * To read: https://www.w3.org/TR/CSP3.
 */
#include "page/page.h"

#include <string.h>

#include "base/pool.h"
#include "model/session.h"
#include "page/analyses.h"
#include "page/html.h"
#include "page/outline.h"
#include "page/owners.h"
#include "page/redaction.h"
#include "page/sources.h"
#include "page/stacks.h"
#include "page/tables.h"
#include "page/texts.h"
#include "page/timeline.h"
#include "screen/report.h"

/* A heading, or a block below the last one. */
struct part {
    const char *id; /* id of a heading; NULL: a block */
    const char *title;
    const struct analysis *analysis;
    bool is_open;
};

static const struct part parts[] = {
#define PART(id, title) {#id, title, NULL, false},
#define SHOWN(name, is_open) {NULL, NULL, &analysis_##name, is_open},
#include "screen/parts.def"
#undef PART
#undef SHOWN
};

enum { PARTS = sizeof parts / sizeof *parts };

/* A chart at the head of a part, filled in by a script. */
static const struct chart {
    const char *part;
    const char *id;
    void (*put)(struct html *html, const struct page_request *request);
} charts[] = {
    {"cpu", "flame", stacks_put},
    {"course", "lanes", timeline_put},
    {"heap", "owners", owners_put},
};

enum { CHARTS = sizeof charts / sizeof *charts };

static void put_navigation(struct html *html)
{
    html_put(html, "<nav aria-label=\"Parts\"><a href=\"#overview\">Overview</a>\n");
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i].id)
            html_putf(html, "<a href=\"#%s\">%s</a>\n", parts[i].id, parts[i].title);
    html_put(html, "<a href=\"#trace\">Trace</a></nav>\n<main>\n");
}

typedef void (*document_builder)(const struct session *session,
                                 const struct analysis_options *options,
                                 struct document *document);

static void put_built(struct html *html, const struct page_request *request,
                      document_builder build)
{
    struct document document;

    build(request->session, request->options, &document);
    tables_put_document(html, &document);
    document_fini(&document);
}

static void put_overview(struct html *html, const struct page_request *request)
{
    html_put(html, "<section id=\"overview\">\n");
    html->is_overview = true;
    put_built(html, request, report_build);
    html->is_overview = false;
    html_put(html, "</section>\n");
}

static void put_block(struct html *html, const struct page_request *request,
                      const struct part *part)
{
    if (part->analysis->is_there && !part->analysis->is_there(request->session))
        return;
    html_putf(html, "<details id=\"%s\"%s><summary>tprof %s</summary>\n", part->analysis->name,
              part->is_open ? " open" : "", part->analysis->name);
    if (part->analysis == &analysis_timing)
        analyses_put_timing(html, request);
    else if (part->analysis == &analysis_ops)
        analyses_put_ops(html, request);
    else
        analyses_put(html, request, part->analysis);
    html_put(html, "</details>\n");
}

static void put_heading(struct html *html, const struct part *part)
{
    html_putf(html, "<section id=\"%s\"><h2>%s</h2>\n", part->id, part->title);
    for (size_t i = 0; i < CHARTS; i++)
        if (strcmp(charts[i].part, part->id) == 0)
            html_putf(html, "<div id=\"%s\" class=\"chart\" hidden></div>\n", charts[i].id);
}

/* The heap over time has a block of its own, which needs no script. */
static void put_heap(struct html *html, const struct page_request *request)
{
    html_put(html, "<details><summary>tprof memory --timeline</summary>\n");
    analyses_put_heap(html, request);
    html_put(html, "</details>\n");
}

static void put_sources(struct html *html, const struct page_request *request)
{
    struct pool pool;

    html_put(html, "<details id=\"sources\" open><summary>sources</summary>\n");
    pool_enter(&pool);
    sources_put(html, request);
    pool_leave(&pool);
    html_put(html, "</details>\n");
}

static void put_parts(struct html *html, const struct page_request *request)
{
    for (size_t i = 0; i < PARTS; i++) {
        if (!parts[i].id) {
            put_block(html, request, &parts[i]);
            if (parts[i].analysis == &analysis_memory)
                put_heap(html, request);
            if (parts[i].analysis == &analysis_lines && request->shows_sources)
                put_sources(html, request);
            continue;
        }
        html_put(html, i > 0 ? "</section>\n" : "");
        put_heading(html, &parts[i]);
    }
    html_put(html, "</section>\n");
}

static void put_note(struct html *html, struct said sentence)
{
    html_put(html, "<p class=\"note\">");
    html_prose(html, sentence.words);
    html_put(html, "</p>\n");
}

static void put_trace(struct html *html, const struct page_request *request)
{
    html_put(html, "<section id=\"trace\"><h2>Trace</h2>\n");
    if (!request->shows_arguments)
        put_note(html, page_hidden_text);
    html_put(html, "<details><summary>tprof info</summary>\n");
    put_built(html, request, report_build_info);
    html_put(html, "</details>\n</section>\n");
}

/* Put the data of charts, which a script reads. */
static void put_data(struct html *html, const struct page_request *request)
{
    struct pool pool;

    for (size_t i = 0; i < CHARTS; i++) {
        html_putf(html, "<script type=\"application/json\" id=\"%s-data\">\n", charts[i].id);
        pool_enter(&pool);
        charts[i].put(html, request);
        pool_leave(&pool);
        html_put(html, "</script>\n");
    }
}

static void put_page(struct html *html, const struct page_request *request)
{
    outline_begin(html, request->session->process.name);
    put_navigation(html);
    put_overview(html, request);
    put_parts(html, request);
    put_trace(html, request);
    html_put(html, "</main>\n");
    put_data(html, request);
    outline_end(html);
}

static void write_shown(const struct page_request *request, FILE *out)
{
    struct html html;

    html_init(&html, out);
    html.has_analyses = true;
    put_page(&html, request);
}

static void write_redacted(const struct page_request *request, FILE *out)
{
    struct page_request shown = *request;
    struct redaction redaction;

    redaction_init(&redaction, request->session);
    shown.session = &redaction.session;
    write_shown(&shown, out);
}

/* The page has text of the program's source only if the user requested it. */
static struct session with_sources(const struct session *session,
                                   const struct page_request *request)
{
    struct session shown = *session;

    shown.sources = request->sources;
    shown.sources.is_hidden = !request->shows_sources;
    return shown;
}

void page_write(const struct page_request *request, FILE *out)
{
    struct session session = with_sources(request->session, request);
    struct analysis_options options = *request->options;
    struct page_request shown = *request;
    struct session steady;

    if (options.steady) {
        steady = with_sources(options.steady, request);
        options.steady = &steady;
    }
    shown.session = &session;
    shown.options = &options;
    (request->shows_arguments ? write_shown : write_redacted)(&shown, out);
}
