/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HUGE-PAGES: a huge page makes 2 MiB resident at the first byte that is written.  Memory that is
 * used here and there then takes many times the bytes that the program uses.
 *
 * The evidence is pages of the largest such mapping, read by sample, that hold zeros alone: so
 * Linux itself decides which huge pages to split.  The share of zeros is taken at the low end of
 * its interval.
 *
 * Source: Documentation/admin-guide/mm/transhuge.rst of Linux; E. B. Wilson, Probable inference,
 * Journal of the American Statistical Association 22 (1927) 209.
 */
#include <math.h>

#include "base/text.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "heap/resident.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_resident.h"
#include "places/places.h"

static const uint64_t least_pages = 32; /* that were read */
static const double least_bytes = 32e6; /* less is no question */
static const double least_share = 0.25; /* of resident memory */

/* Returns: the low end of the 95 % interval of a share. */
static double low_share(double hits, double count)
{
    const double z = 1.96;
    double share = hits / count, square = z * z / count;

    return (share + square / 2 - z * sqrt(share * (1 - share) / count + square / (4 * count))) /
           (1 + square);
}

static void say_place(struct finding *finding, const struct findings_context *context,
                      const struct session_resident *peak)
{
    const struct session *session = context->session;
    const struct session_mapping *mapping;
    struct place place;

    if (peak->zeros_mapping >= session->mappings.count) {
        say(&finding->action, huge_pages_malloc_text);
        return;
    }
    mapping = array_at(&session->mappings, peak->zeros_mapping);
    if (places_find_owner_of(places_new(session, context->options.find_frames), mapping->call,
                             &place))
        place_append_short(&finding->place, &place);
    say(&finding->action, huge_pages_mapped_text);
}

static void add(const struct findings_context *context, struct findings *findings,
                const struct session_resident *peak)
{
    const struct session_zeros *zeros = &peak->zeros;
    double share = (double)zeros->zero_pages / (double)zeros->pages;
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);

    say(&finding->title, huge_pages_title_text, said_bytes(share * (double)zeros->bytes),
        said_bytes((double)peak->bytes));
    say_place(finding, context, peak);
    say(&finding->evidence, huge_pages_pages_text, said_count(zeros->zero_pages),
        said_count(zeros->pages), said_bytes((double)zeros->bytes),
        said_bytes((double)zeros->huge_bytes));
    finding_add_number(finding, "zero_bytes", share * (double)zeros->bytes);
}

void rule_huge_pages(const struct findings_context *context, struct findings *findings)
{
    const struct session_resident *peak = resident_find_peak(context->session);
    double bytes;

    if (!peak) {
        findings_skip(findings, huge_pages_unread_text);
        return;
    }
    bytes = peak->zeros.pages >= least_pages
                ? low_share((double)peak->zeros.zero_pages, (double)peak->zeros.pages) *
                      (double)peak->zeros.bytes
                : 0;
    if (bytes >= least_bytes && bytes >= least_share * (double)peak->bytes)
        add(context, findings, peak);
    else
        findings_pass(findings, huge_pages_passed_text, said_bytes((double)peak->zeros.huge_bytes),
                      said_bytes((double)peak->bytes));
}
