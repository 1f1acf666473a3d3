/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The entries of TPROF_WRAP.
 */
#ifndef MODEL_WRAP_LIST_H
#define MODEL_WRAP_LIST_H

struct session;
struct text_list;

/* Doubt each entry of `list`, [LIBRARY:]SYMBOL,...;..., that hooked nothing in the session: the
 * user expects times that will not appear.  NULL is an empty list.
 */
void wrap_list_doubt(const struct session *session, const char *list, struct text_list *doubts);

#endif
