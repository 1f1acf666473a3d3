/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is missing of a trace, in words.
 */
#include "figures/loss_words.h"

#include <string.h>

#include "base/units.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "model/session_unknown.h"

static bool is_cut(const struct session_losses *losses)
{
    return losses->lost_records > 0 || losses->overwritten_records > 0 || losses->torn_chunks > 0 ||
           losses->bad_records > 0 || losses->failed_chunks > 0;
}

bool loss_words_are_due(const struct session *session)
{
    return is_cut(&session->losses) || session->losses.unmatched > 0 ||
           session->heap.lost_samples > 0;
}

static void append_overwritten(struct text *text, const struct session_losses *losses)
{
    if (losses->overwritten_records == SESSION_UNKNOWN)
        text_appendf(text, "an unknown number overwritten in %llu chunk%s",
                     (unsigned long long)losses->reused_chunks,
                     units_choose(losses->reused_chunks, "", "s"));
    else
        text_appendf(text, "%llu overwritten", (unsigned long long)losses->overwritten_records);
}

/* Nobody counted what stood in these. */
static void append_unreadable(struct text *text, const struct session_losses *losses)
{
    if (losses->torn_chunks > 0)
        text_appendf(text, ", an unknown number in %llu unreadable chunk%s",
                     (unsigned long long)losses->torn_chunks,
                     units_choose(losses->torn_chunks, "", "s"));
    else
        text_append(text, ", 0 chunks unreadable");
}

static void append_records(struct text *text, const struct session_losses *losses)
{
    text_appendf(text, "%llu record%s lost, ", (unsigned long long)losses->lost_records,
                 units_choose(losses->lost_records, "", "s"));
    append_overwritten(text, losses);
    append_unreadable(text, losses);
    text_appendf(text, ", %llu record%s damaged", (unsigned long long)losses->bad_records,
                 units_choose(losses->bad_records, "", "s"));
    if (losses->failed_errno)
        text_appendf(text, " (%s)", strerror(losses->failed_errno));
}

void loss_words_append(struct text *text, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    const char *separator = "";

    if (is_cut(losses)) {
        append_records(text, losses);
        separator = "; ";
    }
    if (losses->unmatched > 0) {
        text_appendf(
            text,
            "%s%llu call%s of kernels or regions in no row: left by a jump, interleaved by "
            "coroutines, or ended without a beginning",
            separator, (unsigned long long)losses->unmatched,
            units_choose(losses->unmatched, "", "s"));
        separator = "; ";
    }
    if (session->heap.lost_samples > 0)
        text_appendf(text, "%s%llu sampled block%s lost", separator,
                     (unsigned long long)session->heap.lost_samples,
                     units_choose(session->heap.lost_samples, "", "s"));
}

/* ---- call chains --------------------------------------------------------- */

bool loss_words_has_short_chains(const struct session *session)
{
    const struct session_losses *losses = &session->losses;

    return losses->chains > losses->chain_ends[TRACE_CHAIN_WHOLE];
}

/* Returns: what stands before the next. */
static const char *append_chain_end(struct text *text, const struct session_losses *losses,
                                    enum trace_chain_end end, const char *separator)
{
    static const char *const words[] = {
        NULL,
#define CHAIN_END(end, key, words) words,
#include "spec/chain_ends.def"
#undef CHAIN_END
    };
    uint64_t count = losses->chain_ends[end];
    char number[UNITS_SIZE];

    if (count == 0 || count == SESSION_UNKNOWN)
        return separator;
    text_appendf(text, "%s%s %s", separator, units_format_count(number, (int64_t)count),
                 words[end]);
    return ", ";
}

void loss_words_append_chains(struct text *text, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    uint64_t early = losses->chains - losses->chain_ends[TRACE_CHAIN_WHOLE];
    char count[UNITS_SIZE], whole[UNITS_SIZE], share[UNITS_SIZE];
    const char *separator = "";

    text_appendf(text, "%s of %s recorded allocation%s (%s) %s a call chain that ends early: ",
                 units_format_count(count, (int64_t)early),
                 units_format_count(whole, (int64_t)losses->chains),
                 units_choose(losses->chains, "", "s"),
                 units_format_percent(share, (double)early / (double)losses->chains),
                 units_choose(early, "has", "have"));
    for (int end = TRACE_CHAIN_WHOLE + 1; end < TRACE_CHAIN_ENDS; end++)
        separator = append_chain_end(text, losses, (enum trace_chain_end)end, separator);
}
