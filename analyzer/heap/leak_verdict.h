/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a heap leaks, by its trend after warm-up.
 */
#ifndef HEAP_LEAK_VERDICT_H
#define HEAP_LEAK_VERDICT_H

#include "heap/heap_course.h"
#include "heap/leak_outside.h"
#include "heap/memory_facts.h"
#include "statistics/trend.h"

enum leak_verdict { LEAK_SEEN, LEAK_NOT_SEEN, LEAK_UNDECIDED };

/* Why: leak_judgement_say has the sentences. */
enum leak_reason {
    LEAK_GROWS,
    LEAK_JUMPS,         /* leak: by jumps, as a container that doubles its room */
    LEAK_KEPT,          /* leak: the heap grew as long as the program ran, and fell only at the
                               end */
    LEAK_MAPPED,        /* leak: the program maps memory and unmaps next to none */
    LEAK_HEAP_UNKNOWN,  /* undecided: the live heap is not known */
    LEAK_TOO_SHORT,     /* undecided: too little time or too few moments after the warm-up */
    LEAK_AT_START,      /* undecided: it grew only at first */
    LEAK_BY_TURNS,      /* undecided: one place after another grew, and none continued */
    LEAK_AT_END,        /* undecided: it grows only in the last third */
    LEAK_UNSTEADY,      /* undecided: it rose and stayed up, and no slope is certain */
    LEAK_SCATTERED,     /* undecided: no sites explain most of the growth */
    LEAK_REMADE,        /* undecided: single blocks were copied, each larger than the last */
    LEAK_IN_START,      /* undecided: it grew in the start-up, the rest is unclear */
    LEAK_OUTSIDE,       /* undecided: memory outside of malloc grows, the heap does not */
    LEAK_TOO_FEW_TEETH, /* undecided: a saw-tooth of too few teeth */
    LEAK_FELL_BACK,     /* not seen: too few teeth, but the heap fell to its first floor again */
    LEAK_NO_TREND,      /* not seen: the interval of the slope includes 0 */
    LEAK_IMMATERIAL,    /* not seen: growth too small to matter */
    LEAK_ONE_STEP,      /* not seen: all growth is one step */
    LEAK_STOPPED,       /* not seen: it grew for a while, and no longer for a long time */
    LEAK_STARTED,       /* not seen: it grew only in the start-up */
    LEAK_GIVEN_BACK,    /* not seen: the growth was freed before the end */
    LEAK_SUPPRESSED,    /* not seen: the rest is suppressed */
    LEAK_OUTSIDE_SUPPRESSED /* not seen: the growth outside of malloc is suppressed */
};

struct leak_judgement {
    enum leak_verdict verdict;
    enum leak_reason reason;
    struct memory_window window;
    struct heap_shape shape;
    struct leak_outside outside;
    struct trend trend;  /* bytes by nanosecond */
    bool is_by_jumps;    /* the trend is of the rates between jumps */
    bool is_by_troughs;  /* otherwise from the floors of equal stretches */
    double level_bytes;  /* median of the points */
    double growth_bytes; /* slope times the window's length, at most the rise of its floor; or the
                            lasting part of the rise, if no slope is certain */
    double arenas_bytes; /* part of the growth in arenas of Python's objects; 0: none */
    unsigned jumps;      /* number of jumps that make most of a rise without a certain slope */
    bool has_fall;       /* the heap fell at last; the window ends before that */
    struct memory_teardown fall;
    double suspect_bytes; /* part of the growth at sites that leak_is_suspect names; NAN */
    double stopped_ns;    /* for LEAK_STOPPED and LEAK_UNSTEADY: when it last rose */
    double late_bytes;    /* for LEAK_AT_END: bytes above everything in the first two thirds */
    double start_ns;      /* for LEAK_IN_START and LEAK_STARTED: length of the start-up */
    double start_bytes;   /* for these two: bytes live at the end of the start-up */
    double low_bytes;     /* for LEAK_FELL_BACK: the lowest floor of the first third ... */
    double late_low_bytes; /* ... and of the last */
};

/* Returns: the least length of a window; a shorter one may be all start-up. */
uint64_t leak_least_ns(const struct session *session);

/* Judge a session's heap. */
void leak_judge(struct leak_judgement *judgement, const struct session *session,
                const struct analysis_options *options);

/* Judge it in a window of its time. */
void leak_judge_in(struct leak_judgement *judgement, const struct session *session,
                   const struct analysis_options *options, const struct memory_window *window);

/* Returns: the calls of kernels that began in a window. */
size_t leak_count_calls(const struct session *session, const struct memory_window *window);

/* Returns: the verdict that a reason gives. */
enum leak_verdict leak_verdict_of(enum leak_reason reason);

/* Give the reason for the verdict. */
void leak_judgement_say(struct text *text, const struct leak_judgement *judgement,
                        const struct session *session, double confidence);

/* Ask whether a part of the heap grows like a leak, from its live bytes at some times. */
void leak_ask_part(bool *grows, const struct heap_course *part, double confidence);

#endif
