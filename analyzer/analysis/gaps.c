/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times without complete records in the trace.
 */
#include "analysis/gaps.h"

#include "analysis/stage_words.h"
#include "analysis/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_stages.h"
#include "model/session_unknown.h"

static const char *const cause_words[] = {
#define HOLE(cause, key, words) words,
#include "model/holes.def"
#undef HOLE
};

static void add(struct array *gaps, struct gap gap)
{
    struct gap *added = array_add(gaps);

    *added = gap;
}

static void add_holes(struct array *gaps, const struct session *session)
{
    const struct session_hole *hole = session->holes.items;

    for (size_t i = 0; i < session->holes.count; i++)
        add(gaps, (struct gap){.kind = GAP_HOLE,
                               .thread = hole[i].thread,
                               .from_ns = hole[i].from_ns,
                               .to_ns = hole[i].to_ns,
                               .cause = hole[i].cause});
}

static void add_stages(struct array *gaps, const struct session *session)
{
    for (unsigned i = 0; i < TRACE_STAGES; i++) {
        uint64_t from_ns = session->stages.exact_ns[i];

        if (stage_words_are_due(session, 1U << i) && from_ns < session->process.wall_ns)
            add(gaps, (struct gap){.kind = GAP_LESS,
                                   .thread = SESSION_NONE,
                                   .from_ns = from_ns,
                                   .to_ns = session->process.wall_ns,
                                   .stage = (enum trace_stage)i});
    }
}

/* A window that the user cut has a known end. */
static bool has_unknown_end(const struct session *session)
{
    const struct session_window *window = &session->window;
    enum session_ending ending = session->process.ending;

    return (ending == SESSION_UNSEEN || session->process.goes_on) &&
           !(window->is_cut && window->to_ns < window->whole_ns);
}

void gaps_find(struct array *gaps, const struct session *session)
{
    add_holes(gaps, session);

    add_stages(gaps, session);
    if (has_unknown_end(session))
        add(gaps, (struct gap){.kind = GAP_END,
                               .thread = SESSION_NONE,
                               .from_ns = session->process.wall_ns,
                               .to_ns = SESSION_UNKNOWN});
}

void gap_append(struct text *text, const struct session *session, const struct gap *gap)
{
    switch (gap->kind) {
    case GAP_HOLE: say(text, gap_hole_text, said_words(cause_words[gap->cause])); break;
    case GAP_LESS:
        say(text, gap_less_text, said_words(stage_words_recorded(gap->stage)));
        break;
    case GAP_END:
        if (session->process.ending == SESSION_SANDBOXED)
            say(text, gap_end_sandboxed_text);
        else if (session->process.ending == SESSION_YIELDED)
            say(text, gap_end_yielded_text);
        else
            say(text, gap_end_text);
        break;
    }
}

const char *gap_key(enum gap_kind kind)
{
    static const char *const keys[] = {
        [GAP_HOLE] = "hole", [GAP_LESS] = "less", [GAP_END] = "end"};

    return keys[kind];
}
