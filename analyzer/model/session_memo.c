/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One place for each kind of result that is computed once.
 */
#include "model/session_memo.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/session.h"

struct session_memo *session_memo_new(void)
{
    return memory_get_zeros(1, sizeof(struct session_memo));
}

void session_memo_free(struct session_memo *memo)
{
    for (int i = 0; memo && i < SESSION_MEMO_KINDS; i++)
        if (memo->items[i].of)
            memo->items[i].free(memo->items[i].of);
    free(memo);
}

struct session_memo_item *session_memo_item(const struct session *session,
                                            enum session_memo_kind kind)
{
    return session->memo ? &session->memo->items[kind] : NULL;
}
