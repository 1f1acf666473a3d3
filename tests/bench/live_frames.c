/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads frames of a growing trace as fast as it can, and checks each against the one before:
 *
 *     live_frames TRACE FRAMES
 *
 * Prints how many were read, torn and left out, and wrong: a row without a name, or a sum that
 * fell.  Then the processor time of a frame.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "live/live.h"

static double cpu_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A kernel's time may fall where an estimate of inner calls rises; counts never do. */
static unsigned long count_wrong(const struct live *live)
{
    const struct live_row *row = live->rows.items;
    unsigned long wrong = 0;

    for (size_t i = 0; live->count > 1 && i < live->rows.count; i++) {
        const struct live_sums *now = &row[i].ring[(live->count - 1) % LIVE_RING];
        const struct live_sums *before = &row[i].ring[(live->count - 2) % LIVE_RING];

        wrong += now->calls < before->calls || now->bytes < before->bytes || !isfinite(now->ns) ||
                 row[i].name[0] == '\0' || row[i].name[0] == '?';
    }
    return wrong;
}

int main(int argc, char **argv)
{
    unsigned long frames = argc > 2 ? strtoul(argv[2], NULL, 10) : 0, read = 0, wrong = 0;
    struct diagnostic diagnostic;
    struct live live;
    double start_s;

    if (argc != 3 || live_open(&live, argv[1], &diagnostic)) {
        fprintf(stderr, "live_frames TRACE FRAMES\n");
        return 2;
    }
    start_s = cpu_s();
    for (unsigned long i = 0; i < frames; i++)
        if (live_read(&live)) {
            read++;
            wrong += count_wrong(&live);
        }
    printf("frames %lu read %lu torn %llu wrong %lu\n", frames, read,
           (unsigned long long)live.file.dropped, wrong);
    printf("%.1f us of processor time a frame, %zu rows\n",
           1e6 * (cpu_s() - start_s) / (double)frames, live.rows.count);
    live_close(&live);
    return wrong > 0 || read == 0;
}
