/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session without private data: pages are mailed.
 */
#ifndef PAGE_REDACTION_H
#define PAGE_REDACTION_H

#include "base/text_list.h"
#include "model/session.h"

struct redaction {
    struct session session; /* the redacted session; all but the lists below belongs to the
                               original */
    struct text_list command;
    struct text_list environment;
};

/* Copy a session without the program's arguments, the values of its environment, and the folders of
 * the trace.  The session must outlive the copy.  Values that figures need stay: the numbers of
 * threads set for libraries. */
void redaction_init(struct redaction *redaction, const struct session *session);

#endif
