/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far the reading of a trace is.
 */
#include <time.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "launch/status_line.h"

static const int64_t patience_ns = 300000000; /* shorter reads show no progress */

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void cmd_progress_start(struct cmd_progress *progress, const char *name)
{
    *progress = (struct cmd_progress){name, now_ns(), false};
}

void cmd_progress_show(void *of, uint64_t done, uint64_t whole)
{
    struct cmd_progress *progress = of;
    char read[UNITS_SIZE], all[UNITS_SIZE];
    struct text line;

    if (!progress->is_shown && now_ns() - progress->start_ns < patience_ns)
        return;
    progress->is_shown = true;
    text_init(&line);
    text_appendf(&line, "reading %s of %s (%.0f %%): %s", units_format_bytes(read, (double)done),
                 units_format_bytes(all, (double)whole),
                 whole > 0 ? 100 * (double)done / (double)whole : 100.0, progress->name);
    status_line_show(&line);
    text_fini(&line);
}

void cmd_progress_erase(struct cmd_progress *progress)
{
    if (progress->is_shown)
        status_line_erase();
    progress->is_shown = false;
}
