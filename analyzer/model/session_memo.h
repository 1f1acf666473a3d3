/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of analyses about a session that are needed again and again.  The first caller puts a
 * result here, and it lives as long as the session.  Copies of a session share it.
 *
 * Used by one thread at a time.
 */
#ifndef MODEL_SESSION_MEMO_H
#define MODEL_SESSION_MEMO_H

#include "base/attributes.h"

struct session;

enum session_memo_kind {
    SESSION_MEMO_NAMES,     /* places/places.c */
    SESSION_MEMO_UNSEEN,    /* findings/unseen_imports.c */
    SESSION_MEMO_HEAP_SUMS, /* heap/heap_sums.c */
    SESSION_MEMO_PHASES,    /* steps/phases.c */
    SESSION_MEMO_WAITS,     /* waits/wait_split.c */
    SESSION_MEMO_KINDS
};

struct session_memo_item {
    void *of; /* NULL: not computed yet */
    void (*free)(void *of);
};

struct session_memo {
    struct session_memo_item items[SESSION_MEMO_KINDS];
};

/* Returns: an empty memo. */
struct session_memo *session_memo_new(void) MUST_CHECK;

void session_memo_free(struct session_memo *memo);

/* Returns: the item; NULL for a session that stores nothing, such as those of tests. */
struct session_memo_item *session_memo_item(const struct session *session,
                                            enum session_memo_kind kind);

#endif
