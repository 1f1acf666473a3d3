/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the heap leaks, with the start-up from the phases of the run.  Phases are sought only
 * where memory grew.
 */
#include "heap/heap_leak.h"

#include "heap/leak_start.h"
#include "model/session.h"
#include "steps/phases.h"

static bool is_marked(enum phase_by by)
{
    switch (by) {
    case PHASE_BY_REGION:
    case PHASE_BY_STEPS:
    case PHASE_BY_REQUESTS:
    case PHASE_BY_TASKS: return true;
    case PHASE_BY_NOTHING:
    case PHASE_BY_KERNELS:
    case PHASE_BY_SAMPLES: break;
    }
    return false;
}

void heap_leak_judge(struct leak_judgement *judgement, const struct session *session,
                     const struct analysis_options *options)
{
    struct phases phases;
    bool are = false;

    leak_judge(judgement, session, options);
    if (!leak_may_be_start(judgement, options))
        return;
    phases_find(&phases, session, options->find_frames, &are);
    if (!are)
        return;
    leak_judge_after(judgement, session, options,
                     &(struct leak_start){
                         .end_ns = phases.border_ns[PHASE_START + 1],
                         .steady_from_ns = phases.border_ns[PHASE_MAIN],
                         .steady_to_ns = phases.border_ns[PHASE_MAIN + 1],
                         .is_marked = is_marked(phases.ends_by[PHASE_START]),
                     });
}
