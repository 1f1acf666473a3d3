/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The losses of a trace, in words.
 */
#include "analysis/loss_words.h"

#include <string.h>

#include "analysis/texts.h"
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
           session->heap.lost_samples > 0 || session->losses.untraced.count > 0;
}

/* The number of records in unreadable or reused chunks is unknown. */
static void append_records(struct text *text, const struct session_losses *losses)
{
    say_part(text, losses_lost_text, said_count(losses->lost_records));
    if (losses->overwritten_records == SESSION_UNKNOWN)
        say_part(text, losses_reused_text, said_count(losses->reused_chunks));
    else
        say_part(text, losses_overwritten_text, said_count(losses->overwritten_records));
    if (losses->torn_chunks > 0)
        say_part(text, losses_torn_text, said_count(losses->torn_chunks));
    else
        say_part(text, losses_not_torn_text);
    say_part(text, losses_damaged_text, said_count(losses->bad_records));
    if (losses->failed_errno)
        say_part(text, losses_cause_text, said_words(strerror(losses->failed_errno)));
}

static void separate(struct text *text, size_t from)
{
    text_append(text, text->size > from ? "; " : "");
}

void loss_words_append(struct text *text, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    size_t from = text->size;

    if (is_cut(losses))
        append_records(text, losses);
    if (losses->unmatched > 0) {
        separate(text, from);
        say_part(text, losses_unmatched_text, said_count(losses->unmatched));
    }
    if (session->heap.lost_samples > 0) {
        separate(text, from);
        say_part(text, losses_samples_text, said_count(session->heap.lost_samples));
    }
    if (losses->untraced.count > 0) {
        separate(text, from);
        say_part(text, losses_untraced_text, said_count(losses->untraced.count),
                 said_words(strerror(losses->untraced.error)));
    }
}

bool loss_words_has_short_chains(const struct session *session)
{
    const struct session_losses *losses = &session->losses;

    return losses->chains > losses->chain_ends[TRACE_CHAIN_WHOLE];
}

/* Returns: the separator before the next. */
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

    if (count == 0 || count == SESSION_UNKNOWN)
        return separator;
    text_append(text, separator);
    say_part(text, losses_chain_end_text, said_count(count), said_words(words[end]));
    return ", ";
}

void loss_words_append_chains(struct text *text, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    uint64_t early = losses->chains - losses->chain_ends[TRACE_CHAIN_WHOLE];
    const char *separator = " ";

    say_part(text, losses_chains_text, said_count(early), said_count(losses->chains),
             said_share((double)early / (double)losses->chains));
    for (int end = TRACE_CHAIN_WHOLE + 1; end < TRACE_CHAIN_ENDS; end++)
        separator = append_chain_end(text, losses, (enum trace_chain_end)end, separator);
}
