/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of ops, by sorting them.
 */
#include "model/op_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/session_ops.h"

static int compare_calls(const struct session_op *one, const struct session_op *other)
{
    if (one->layer != other->layer)
        return one->layer < other->layer ? -1 : 1;
    return strcmp(one->name, other->name);
}

static int compare_places(const void *left, const void *right)
{
    const struct session_op *one = *(const struct session_op *const *)left;
    const struct session_op *other = *(const struct session_op *const *)right;
    int order = compare_calls(one, other);

    if (order != 0 || one->line == other->line)
        return order;
    return one->line < other->line ? -1 : 1;
}

static void number(struct op_groups *groups, const struct session_op *first,
                   const struct session_op *const *sorted, size_t count)
{
    uint32_t call = 0;

    for (size_t i = 0; i < count; i++) {
        groups->count += i > 0 && compare_places(&sorted[i - 1], &sorted[i]) != 0;
        call += i > 0 && compare_calls(sorted[i - 1], sorted[i]) != 0;
        groups->calls[sorted[i] - first] = call;
        groups->places[sorted[i] - first] = groups->count;
    }
    groups->count++;
}

void op_groups_init(struct op_groups *groups, const struct session *session)
{
    const struct session_op *op = session->ops.items;
    size_t count = session->ops.count;
    const struct session_op **sorted = memory_get_zeros(count + 1, sizeof *sorted);

    *groups = (struct op_groups){.calls = memory_get_zeros(count + 1, sizeof *groups->calls),
                                 .places = memory_get_zeros(count + 1, sizeof *groups->places)};
    for (size_t i = 0; i < count; i++)
        sorted[i] = &op[i];
    qsort(sorted, count, sizeof *sorted, compare_places);
    number(groups, op, sorted, count);
    free(sorted);
}

void op_groups_fini(struct op_groups *groups)
{
    free(groups->calls);
    free(groups->places);
}
