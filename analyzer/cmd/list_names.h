/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lists of tprof list.
 */
#ifndef CMD_LIST_NAMES_H
#define CMD_LIST_NAMES_H

#include <stddef.h>

/* Give the names of the lists one by one.  Returns: NULL past the last. */
const char *list_name_at(size_t index);

#endif
