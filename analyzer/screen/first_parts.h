/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blocks of the first screen, used only by first_screen.c; each answers one question.
 *
 * Each block adds its sections, with the next command next to its heading.
 */
#ifndef SCREEN_FIRST_PARTS_H
#define SCREEN_FIRST_PARTS_H

#include "screen/report_sums.h"

struct phases;

/* A page without room for all leaves out the highest first; lines without a rank stay.  FIT_BLANK
 * of the renderer lies between FIRST_ANSWER and FIRST_DETAIL. */
enum first_rank {
    FIRST_STAYS,
    FIRST_MAIN,   /* answers a question of its own */
    FIRST_ANSWER, /* goes on with an answer */
    FIRST_DETAIL = 4,
    FIRST_NOTE,  /* of the figures */
    FIRST_LIMIT, /* of the machine: the same in each run */
};

/* How long did it run, and is that processor-bound? */
void first_add_head(struct document *document, const struct report_sums *sums);

/* Add the parts of the wall time: start-up, steps and end, the main thread's time, and
 * disturbances.  `phases`: NULL without any; `kin_count`: traces of its children. */
void first_add_wall(struct document *document, const struct report_sums *sums,
                    const struct phases *phases, size_t kin_count);

/* What did a server answer, and how fast? */
void first_add_requests(struct document *document, const struct report_sums *sums,
                        const struct analysis_options *options);

/* Where did the time of the threads go?  `phases` is NULL if there are none. */
void first_add_time(struct document *document, const struct report_sums *sums,
                    const struct phases *phases,
                    const struct analysis_options *options);

/* How busy were the devices, what did they run, and why were they idle?  Nothing without any. */
void first_add_devices(struct document *document, const struct report_sums *sums,
                       const struct analysis_options *options);

/* Add the first advice, and its gain.  `kin`: the sums of the process of `told`; ignored if that is
 * NULL. */
void first_add_advice(struct document *document, const struct report_sums *sums,
                      const struct analysis_kin *told, const struct report_sums *kin);

/* How much memory did the program use, and which code owned it?  `kin` as above. */
void first_add_memory(struct document *document, const struct report_sums *sums,
                      const struct report_sums *kin, const struct analysis_options *options);

/* Add the unknown and doubtful figures. */
void first_add_unknown(struct document *document, const struct report_sums *sums,
                       const struct analysis_options *options);

/* Append the libraries with most of the rows from one row on, or of the nameless rows:
 * "libtorch_cpu 21.0 %, python3.11 12.3 %".  Nothing if none has a hundredth of the whole. */
void first_append_libraries(struct text *text, const struct cpu_time *time, size_t from,
                            bool is_nameless);

/* Append the title of a finding as a sentence, with its place: "Copying data between kernel calls
 * takes 8.0 % of the wall time, mostly in pack pack.c:12." */
void first_append_title(struct text *line, const struct finding *finding);

/* Ask whether a leak is among the advice, so that nothing else needs to tell it. */
bool first_advises_leak(const struct findings *findings);

/* Ask whether a finding casts severe doubt on the figures. */
bool first_is_doubt(const struct finding *finding);

/* Add the lines of a program's own files with the most processor time, including their callees.
 * Adds nothing if they have next to none. */
void first_add_own_lines(struct document *document,
                         const struct cpu_time *time);

#endif
