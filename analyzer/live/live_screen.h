/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A frame as lines of text, for a terminal of any size or for a pipe.
 */
#ifndef LIVE_LIVE_SCREEN_H
#define LIVE_LIVE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text_list.h"
#include "live/live.h"

enum live_view { LIVE_VIEW_TIME, LIVE_VIEW_MEMORY, LIVE_VIEW_WAITS, LIVE_VIEW_REQUESTS };

struct live_screen {
    enum live_view view;
    bool is_paused;
    bool shows_help;
    bool shows_keys;
    double every_s;
    size_t width;  /* 0: no limit */
    size_t height; /* 0: no limit, or rather so many rows as are useful */
    bool unicode;
    const char *message; /* NULL: none */
};

/* Draw the lines of the shown frame; each fits the width, and all fit the height. */
void live_screen_draw(struct text_list *lines, const struct live *live,
                      const struct live_screen *screen);

/* Draw one line a process, under a line of titles. */
void live_screen_draw_job(struct text_list *lines, const struct live *live, size_t count,
                          const struct live_screen *screen);

/* A row and its rates over one frame and over the span, for those who show rows otherwise. */
struct live_rated {
    const struct live_row *row;
    struct live_sums one, span;
};

/* Find the rows of a view that are not idle, the busiest first.
 * Shape: the array is of struct live_rated. */
void live_screen_find_rows(struct array *rated, const struct live *live, enum live_view view);

/* Say that a copy of the trace was written, or why not; NULL: it was. */
void live_screen_append_copy(struct text *text, const char *path, const char *error);

/* Append the open calls of a thread: "waits: read data since 2.1 s"; "between calls". */
void live_screen_append_thread(struct text *text, const struct live_thread *thread);

#endif
