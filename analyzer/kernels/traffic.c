/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels and the loops of a calibration.
 *
 * Decision: doc/decisions/traffic.
 */
#include "kernels/traffic.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

struct moves {
    enum machine_stream loops[2];
    const char *const *stems; /* NULL after the last */
};

static const struct moves rows[] = {
#define TRAFFIC(first, second, ...)                                                                \
    {{MACHINE_##first, MACHINE_##second}, (const char *const[]){__VA_ARGS__, NULL}},
#include "kernels/traffic.def"
#undef TRAFFIC
};

/* The letters of a type are "s", "sc" or, for the index of a maximum, "is". */
enum { TYPE_LETTERS = 3 };

static bool has_stem(const char *name, const char *stem)
{
    size_t length = strlen(name), behind = strlen(stem);

    return length > behind && length - behind <= TYPE_LETTERS && text_ends_with(name, length, stem);
}

static const struct moves *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const char *const *stem = rows[i].stems; *stem; stem++)
            if (has_stem(name, *stem))
                return &rows[i];
    return NULL;
}

static double stream_of(const struct traffic_asked *asked, const struct machine *machine,
                        enum machine_stream stream)
{
    return machine_stream(machine, stream, asked->level, asked->threads);
}

static double find_fastest(const struct traffic_asked *asked, const struct machine *machine)
{
    double others = machine_bandwidth(machine, asked->level, asked->threads);

    if (!(asked->bytes_per_second > others))
        return others;
    return fmax(others, fmax(stream_of(asked, machine, MACHINE_UPDATE),
                             stream_of(asked, machine, MACHINE_RESCALE)));
}

bool traffic_find_bandwidth(const struct traffic_asked *asked, const struct machine *machine,
                            double *bandwidth)
{
    const struct moves *moves = asked->kernel ? find(asked->kernel->name) : NULL;
    double own;

    *bandwidth = find_fastest(asked, machine);
    if (!moves)
        return true;
    own = fmax(stream_of(asked, machine, moves->loops[0]),
               stream_of(asked, machine, moves->loops[1]));
    if (isnan(own))
        return false;
    *bandwidth = own;
    return true;
}
