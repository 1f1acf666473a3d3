/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The output of an analysis's command, as elements of the page.
 */
#include "page/analyses.h"

#include "heap/memory_options.h"
#include "kernels/timing_options.h"
#include "page/op_times.h"
#include "page/tables.h"
#include "screen/shown.h"

/* Rows of a table.  Readers can sort and filter these rows; the command shows more. */
enum { ANALYSES_ROWS = 200 };

static void put(struct html *html, const struct shown *shown)
{
    struct document document;

    shown_build(shown, &document);
    tables_put_document(html, &document);
    document_fini(&document);
}

static struct shown choose(const struct page_request *request, const struct analysis *analysis)
{
    return (struct shown){.session = request->session,
                          .options = request->options,
                          .analysis = analysis,
                          .most_rows = ANALYSES_ROWS,
                          .is_elaborated = true};
}

void analyses_put(struct html *html, const struct page_request *request,
                  const struct analysis *analysis)
{
    const struct shown shown = choose(request, analysis);

    put(html, &shown);
}

/* With histograms below their rows, instead of everything known about each row. */
void analyses_put_timing(struct html *html, const struct page_request *request)
{
    struct shown shown = choose(request, &analysis_timing);
    struct analysis_options options = *request->options;
    struct timing_options of_timing = *options.timing;

    of_timing.histogram = true;
    options.timing = &of_timing;
    shown.options = &options;
    shown.is_elaborated = false;
    put(html, &shown);
}

void analyses_put_ops(struct html *html, const struct page_request *request)
{
    struct table times;

    op_times_build(request->session, request->options, &times);
    html->times = &times;
    analyses_put(html, request, &analysis_ops);
    html->times = NULL;
    table_fini(&times);
}

void analyses_put_heap(struct html *html, const struct page_request *request)
{
    struct shown shown = choose(request, &analysis_memory);
    struct analysis_options options = *request->options;
    struct memory_options of_memory = *options.memory;

    of_memory.timeline = true;
    options.memory = &of_memory;
    shown.options = &options;
    put(html, &shown);
}
