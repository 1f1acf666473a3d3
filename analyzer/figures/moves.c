/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels and the loops of a calibration.
 *
 * Decision: doc/decisions/moves.
 */
#include "figures/moves.h"

#include <math.h>
#include <string.h>

struct moves {
    const char *stem;
    enum machine_stream loops[2];
};

static const struct moves rows[] = {
#define MOVES(stem, first, second) {stem, {MACHINE_##first, MACHINE_##second}},
#include "figures/moves.def"
#undef MOVES
};

/* Types are told by "s", "sc" or, of the index of a maximum, "is". */
enum { TYPE_LETTERS = 3 };

static const struct moves *find(const struct catalog_kernel *kernel)
{
    size_t length = kernel ? strlen(kernel->name) : 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t stem = strlen(rows[i].stem);

        if (length > stem && length - stem <= TYPE_LETTERS &&
            strcmp(kernel->name + length - stem, rows[i].stem) == 0)
            return &rows[i];
    }
    return NULL;
}

static double stream_of(const struct moves_asked *asked, const struct machine *machine,
                        enum machine_stream stream)
{
    return machine_stream(machine, stream, asked->level, asked->threads);
}

static double find_fastest(const struct moves_asked *asked, const struct machine *machine)
{
    double others = machine_bandwidth(machine, asked->level, asked->threads);

    if (!(asked->bytes_per_second > others))
        return others;
    return fmax(others, fmax(stream_of(asked, machine, MACHINE_UPDATE),
                             stream_of(asked, machine, MACHINE_RESCALE)));
}

bool moves_find_bandwidth(const struct moves_asked *asked, const struct machine *machine,
                          double *bandwidth)
{
    const struct moves *moves = find(asked->kernel);
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
