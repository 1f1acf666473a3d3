/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels for sessions made by hand: a machine and a catalog from a golden page, and
 * calls in a line of text each.
 */
#ifndef UNIT_MADE_KERNELS_H
#define UNIT_MADE_KERNELS_H

#include "model/machine.h"
#include "model/session_kernels.h"

struct session;

/* Read the section "machine" of a page, a file of tprof calibrate. */
void made_read_machine(struct machine *machine, const char *page);

/* Read the section "catalog" of a page; each kernel has a binding of its name.  The
 * arena's memory is the caller's to free. */
void made_read_catalog(struct session *session, struct catalog_arena *arena, const char *page);

/* Returns: the binding of a kernel, which must exist. */
uint32_t made_find_binding(const struct session *session, const char *name);

/* Add a slot: "NAME TERM... CALLS MICROSECONDS".  Terms are numbers or words, as their
 * kernel has them.  Valid until the next one is added. */
struct session_slot *made_add_calls(struct session *session, const char *line);

/* Free the slots' samples; the rest is made_fini's. */
void made_fini_calls(struct session *session);

#endif
