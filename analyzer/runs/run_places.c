/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places of rows.  Libraries have no place: a reader changes the program's own lines.
 */
#include "runs/run_places.h"

#include "cpu/cpu_row.h"
#include "cpu/own_lines.h"
#include "kernels/groups.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "places/places.h"
#include "runs/run.h"

static void set_place(const struct run_places *places, struct run_row *row,
                      const struct place *place)
{
    if (place)
        run_set_place(places->run, row, place->file, place->line);
}

/* A framework calls kernels for the line of an op. */
static const struct place *find_caller(const struct run_places *places,
                                       const struct session_slot *slot)
{
    const struct place *place = own_lines_of_site(places->session, places->places, slot->site);

    if (place || slot->op == 0)
        return place;
    return own_lines_of_site(places->session, places->places,
                             session_op_at(places->session, slot->op)->line);
}

void run_place_kernel(const struct run_places *places, struct run_row *row,
                      const struct groups *groups, const struct group *group)
{
    uint64_t most_ns = 0;

    for (size_t i = group->slot; i != GROUPS_NO_SLOT; i = groups_next_slot(groups, i)) {
        const struct session_slot *slot = session_slot_at(places->session, i);
        const struct place *place;

        if (slot->total_ns < most_ns)
            continue;
        place = find_caller(places, slot);
        set_place(places, row, place);
        most_ns = place ? slot->total_ns : most_ns;
    }
}

void run_place_op(const struct run_places *places, struct run_row *row, uint64_t site)
{
    set_place(places, row, own_lines_of_site(places->session, places->places, site));
}

static bool is_of_row(const struct cpu_time *time, size_t sample, const void *of)
{
    return time->sample_row[sample] == *(const size_t *)of;
}

void run_place_function(const struct run_places *places, struct run_row *row,
                        const struct cpu_time *time, size_t index)
{
    struct own_lines lines;

    own_lines_init_of(&lines, time, is_of_row, &index);
    if (lines.rows.count > 0)
        set_place(places, row, ((const struct own_line *)array_at(&lines.rows, 0))->place);
}
