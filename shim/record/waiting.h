/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A child process that waits to be worth recording.
 *
 * A build or a shell script has hundreds of children that end within a millisecond.  Lanes, tables
 * and the image of a trace would cost each more than its own work.  So a child whose parent is
 * recorded begins without them.  Its first blocks stand in a short list, its first waits in two
 * sums.  Anything else that has a record ends the waiting; so do a large block, many blocks, a
 * wait of a millisecond, and the first sample of processor time.  Then recording starts, and the
 * list gets records without call chains.
 *
 * Decision: doc/decisions/children-that-wait.
 *
 *   operation          thread
 *   waiting_begin      the only one, before the first record
 *   waiting_obtain …   any, and signal handlers: they answer false while another is inside
 *   waiting_write      the first to record; its lane is BUSY
 */
#ifndef RECORD_WAITING_H
#define RECORD_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "record/waiting_block.h"

struct lane;

/* Let the process begin to wait, if it has recorded nothing and may.  Keeps errno.
 * Returns: false when it does not wait, or did before. */
REALIGNED bool waiting_begin(void);

/* Does the process wait?  And is it this one, no child of vfork? */
bool waiting_goes_on(void);
bool waiting_is_own(void);

/* Note a new block.  Returns: false when it must have a record. */
COLD bool waiting_obtain(const void *address, size_t size);

/* Note a block that is freed next.  Returns: false when that must have a record. */
COLD bool waiting_give_back(const void *address);

/* Count a wait.  Returns: false when the process does not wait. */
COLD bool waiting_count_wait(uint64_t ticks);

/* Recording has started: give all that was noted to `write`, in its order. */
void waiting_write(struct lane *lane,
                   void (*write)(struct lane *lane, const struct waiting_block *block));

#endif
