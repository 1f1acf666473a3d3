/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The deferral of recording in a child process, until it is worth it.
 *
 * A build or a shell script has hundreds of children that end within a millisecond.  Lanes, tables
 * and the image of a trace would cost each more than its own work.  So a child whose parent is
 * recorded begins without them.  Its first blocks stand in a short list, its first waits in two
 * sums.  Anything else that has a record ends the deferral; so do a large block, many blocks, a
 * wait of a millisecond, and the first sample of processor time.  Then recording starts, and the
 * list gets records without call chains.
 *
 * Decision: doc/decisions/deferred-children.
 *
 *   operation           thread
 *   deferral_begin      the only one, before the first record
 *   deferral_obtain …   any, and signal handlers: they answer false while another is inside
 *   deferral_write      the first to record; its lane is BUSY
 */
#ifndef RECORD_DEFERRAL_H
#define RECORD_DEFERRAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "record/deferred_block.h"

struct lane;

/* Defer recording, if the process has recorded nothing and may do without.  Keeps errno.
 * Returns: false when recording is not deferred, or was before. */
REALIGNED bool deferral_begin(void);

/* Is recording deferred?  And is the process this one, no child of vfork? */
bool deferral_goes_on(void);
bool deferral_is_own(void);

/* Note a new block.  Returns: false when it must have a record. */
COLD bool deferral_obtain(const void *address, size_t size);

/* Note a block that is freed next.  Returns: false when that must have a record. */
COLD bool deferral_give_back(const void *address);

/* Count a wait.  Returns: false when recording is not deferred. */
COLD bool deferral_count_wait(uint64_t ticks);

/* Recording has started: give all that was noted to `write`, in its order. */
void deferral_write(struct lane *lane,
                    void (*write)(struct lane *lane, const struct deferred_block *block));

#endif
