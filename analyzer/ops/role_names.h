/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The roles, and the words in names that show them.
 */
#ifndef OPS_ROLE_NAMES_H
#define OPS_ROLE_NAMES_H

#include <stdbool.h>

enum role {
#define ROLE(name, word, block) ROLE_##name,
#include "ops/roles.def"
#undef ROLE
    ROLES
};

enum role_block { ROLE_BLOCK_NONE, ROLE_BLOCK_ATTENTION, ROLE_BLOCK_FEED_FORWARD };

const char *role_name(enum role role);

/* Returns: the block of a role; ROLES has none. */
enum role_block role_block_of(enum role role);

/* Ask whether a name contains one of some words as a whole word, in any case, as in role_words.def.
 * Shape: the words, then NULL. */
bool role_name_has_any(const char *name, const char *const *words);

/* Find the role of a name.  Returns: ROLES when it has none. */
enum role role_of_name(const char *name);

#endif
