/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folds commands by the kernel of the catalog that asked for them.
 */
#include "devices/library_rows.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"
#include "rows/fold.h"

/* A slot counts once, however many commands its calls have. */
static void add_slot(struct library_row *row, const struct session_slot *slot)
{
    row->calls += slot->calls;
    row->flops += slot->flops_each * (long double)slot->calls;
    row->host_ns += (double)slot->total_ns;
}

static void add_sum(struct fold *fold, unsigned char *seen, const struct session *session,
                    const struct session_command_sum *sum)
{
    const struct session_slot *slot = session_slot_at(session, sum->slot);
    struct library_row *row;
    uint32_t index;

    fold_by_text(fold, session_binding_at(session, slot->binding)->symbol);
    if (fold_find(fold, &index)) {
        row = array_at(fold->rows, index);
        row->name = session_binding_at(session, slot->binding)->symbol;
        row->is_timed = true;
    }
    row = array_at(fold->rows, index);
    if (!seen[sum->slot])
        add_slot(row, slot);
    seen[sum->slot] = 1;
    row->run_ns += (double)sum->run_ns;
    row->is_timed &= sum->timed == sum->calls;
}

void library_rows_fill(struct array *rows, const struct session *session)
{
    unsigned char *seen = memory_get_zeros(session->slots.count + 1, 1);
    struct fold fold;

    array_init(rows, sizeof(struct library_row));
    fold_init(&fold, rows);
    for (size_t i = 0; i < session->devices.sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(&session->devices, i);

        if (sum->slot != SESSION_NONE && sum->calls > 0 && sum->kind != TRACE_COMMAND_BUILD)
            add_sum(&fold, seen, session, sum);
    }
    free(seen);
}
