/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When ops ran.
 */
#include "model/op_laps.h"

/* Four megabytes: several times as many as a page or a terminal shows. */
enum { OP_LAPS_MOST = 1 << 17 };

void op_laps_init(struct op_laps *laps)
{
    *laps = (struct op_laps){.least_ns = 0};
    array_init(&laps->list, sizeof(struct op_lap));
}

void op_laps_fini(struct op_laps *laps)
{
    array_fini(&laps->list);
}

void op_laps_restart(struct op_laps *laps)
{
    array_truncate(&laps->list, 0);
    laps->least_ns = laps->left_out = 0;
}

static uint64_t length_of(const struct op_lap *lap)
{
    return lap->end_ns - lap->start_ns;
}

static void leave_short(struct op_laps *laps)
{
    struct op_lap *lap = laps->list.items;
    size_t kept = 0;

    for (size_t i = 0; i < laps->list.count; i++)
        if (length_of(&lap[i]) >= laps->least_ns)
            lap[kept++] = lap[i];
    laps->left_out += laps->list.count - kept;
    array_truncate(&laps->list, kept);
}

void op_laps_add(struct op_laps *laps, const struct op_lap *lap)
{
    struct op_lap *added;

    if (length_of(lap) < laps->least_ns) {
        laps->left_out++;
        return;
    }
    while (laps->list.count >= OP_LAPS_MOST) {
        laps->least_ns = laps->least_ns > 0 ? 2 * laps->least_ns : 1000;
        leave_short(laps);
    }
    added = array_add_raw(&laps->list);
    *added = *lap;
}
