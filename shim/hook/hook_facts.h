/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of the catalog, of the loaded objects, and of their hooks: rows of
 * fact_writers (record/room.h).
 *
 * Safety: callers hold the process lock.
 */
#ifndef HOOK_HOOK_FACTS_H
#define HOOK_HOOK_FACTS_H

#include <stdbool.h>

bool hook_facts_write_catalog(unsigned *written);
bool hook_facts_write_modules(unsigned *written);
bool hook_facts_write_gone(unsigned *written);
bool hook_facts_write_bindings(unsigned *written);
bool hook_facts_write_hooks(unsigned *written);
bool hook_facts_write_allocator(unsigned *written);

/* Write the numbers of missing rows of the coverage record. */
bool hook_facts_write_objects_left_out(unsigned *written);
bool hook_facts_write_hooks_left_out(unsigned *written);
bool hook_facts_write_in_spaces(unsigned *written);
bool hook_facts_write_deep_unseen(unsigned *written);

#endif
