/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What TPROF_WRAP names.
 */
#ifndef MODEL_WRAP_LIST_H
#define MODEL_WRAP_LIST_H

#include "base/attributes.h"
#include "base/status.h"

struct session;
struct text_list;

/* Doubt each entry of `list`, [LIBRARY:]SYMBOL,...;..., for which nothing was hooked in
 * the session: the user waits for times that will not come.  NULL is an empty list.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status wrap_list_doubt(const struct session *session, const char *list,
                            struct text_list *doubts) MUST_CHECK;

#endif
