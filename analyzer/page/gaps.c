/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times without complete records, for web/gaps.js.
 */
#include "page/gaps.h"

#include <inttypes.h>

#include "analysis/gaps.h"
#include "base/text.h"
#include "model/session_unknown.h"

/* The lane or graph of the chart that a stage thins. */
static const char *const thinned[TRACE_STAGES] = {
    [TRACE_STAGE_CHAINS] = "owners",    [TRACE_STAGE_BLOCKS] = "heap",
    [TRACE_STAGE_KERNELS] = "kernels",  [TRACE_STAGE_REGIONS] = "regions",
    [TRACE_STAGE_READINGS] = "readings", [TRACE_STAGE_STACKS] = "owners"};

static void put_words(struct html *html, const struct session *session, const struct gap *gap)
{
    struct text text;

    text_init(&text);
    gap_append(&text, session, gap);
    html_string(html, text.bytes);
}

static void put_gap(struct html *html, const struct session *session, const struct gap *gap)
{
    html_putf(html, "{\"kind\":\"%s\",\"from\":%" PRIu64, gap_key(gap->kind), gap->from_ns);
    if (gap->to_ns != SESSION_UNKNOWN)
        html_putf(html, ",\"to\":%" PRIu64, gap->to_ns);
    if (gap->thread != SESSION_NONE)
        html_putf(html, ",\"thread\":%" PRIu32, gap->thread);
    if (gap->kind == GAP_LESS)
        html_putf(html, ",\"of\":\"%s\"", thinned[gap->stage]);
    html_put(html, ",\"words\":");
    put_words(html, session, gap);
    html_put(html, "}");
}

void gaps_put(struct html *html, const struct session *session)
{
    struct array gaps;

    array_init(&gaps, sizeof(struct gap));
    gaps_find(&gaps, session);
    html_put(html, "[");
    for (size_t i = 0; i < gaps.count; i++) {
        html_put(html, i > 0 ? ",\n" : "");
        put_gap(html, session, array_at(&gaps, i));
    }
    html_put(html, "]");
}
