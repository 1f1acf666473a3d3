/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blocks of the first screen, for first_screen.c alone; each answers one question.
 *
 * Each adds its sections, with the next command beside its heading.
 */
#ifndef SCREEN_FIRST_PARTS_H
#define SCREEN_FIRST_PARTS_H

#include "places/places.h"
#include "screen/report_sums.h"

struct phases;

/* How long did it run, and is that processor-bound? */
void first_add_head(struct document *document, const struct report_sums *sums);

/* Add the parts of the wall time: start-up, steps and end, the main thread's time, and
 * disturbances.  `phases`: NULL without any. */
void first_add_wall(struct document *document, const struct report_sums *sums,
                    const struct phases *phases);

/* Where did the time of the threads go?  Without phases, NULL. */
void first_add_time(struct document *document, const struct report_sums *sums,
                    const struct phases *phases,
                    const struct analysis_options *options);

/* Add the first advice, and its gain. */
void first_add_advice(struct document *document, const struct report_sums *sums,
                      const struct analysis_options *options);

/* How much memory did the program use, and which code owned it? */
void first_add_memory(struct document *document, const struct report_sums *sums,
                      const struct analysis_options *options);

/* Add the unknown and doubtful figures. */
void first_add_unknown(struct document *document, const struct report_sums *sums,
                       const struct analysis_options *options);

/* Append the libraries that have most of the rows from one on, or of those without a name:
 * "libtorch_cpu 21.0 %, python3.11 12.3 %".  Nothing where none has a hundredth of the whole. */
void first_append_libraries(struct text *text, const struct cpu_time *time, size_t from,
                            bool is_nameless);

/* Append the title of a finding as a sentence, with its place: "Copying data between kernel calls
 * takes 8.0 % of the wall time, mostly in pack pack.c:12." */
void first_append_title(struct text *line, const struct finding *finding);

/* Does it doubt the figures, gravely? */
bool first_is_doubt(const struct finding *finding);

/* Add the lines of a program's own files with the most processor time, including their callees.
 * Adds nothing if they have next to none. */
void first_add_own_lines(struct document *document,
                         const struct cpu_time *time);

/* Say which of these lines to start with, where no finding says it.  Nothing where only lines that
 * import have much.  `time` is of the whole run. */
void first_say_where_to_begin(struct text_list *lines, const struct document *document,
                              const struct cpu_time *time, places_finder find);

#endif
