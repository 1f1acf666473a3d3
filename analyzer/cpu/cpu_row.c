/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words and the shares of rows of processor time.
 */
#include "cpu/cpu_row.h"

#include <math.h>

const char *cpu_kind_word(enum cpu_kind kind)
{
    static const char *const words[] = {
#define CPU_KIND(kind, word, help) word,
#include "cpu/cpu_kinds.def"
#undef CPU_KIND
    };

    return words[kind];
}

double cpu_time_share(const struct cpu_time *time, double ns)
{
    return time->cpu_ns > 0 ? ns / time->cpu_ns : (double)NAN;
}
