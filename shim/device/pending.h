/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that have been asked for, and whose times are not known yet.
 *
 * An adapter leaves an event of its library here for each command, and a function that looks
 * whether the command has ended.  Each lane has a ring: its thread adds at the end, and whoever
 * holds the ring looks from the front.  A thread looks at some of its own with every sixteenth
 * command that it asks for, and at those of all threads when it has waited for a device.  No thread
 * waits for another here, and no function of a library is called after the process began to end.
 *
 *   operation         owner of the lane   other threads   signal handler
 *   pending_has_room  yes                 never           yes
 *   pending_add       yes                 never           no
 *   pending_look      yes                 never           no
 *   pending_look_all  yes                 yes             no
 *
 * A ring has PENDING_MAX places.  Without a free one, a command is counted and has no times.
 */
#ifndef DEVICE_PENDING_H
#define DEVICE_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "device/command.h"

enum { PENDING_MAX = 1 << 16 };

enum pending_answer {
    PENDING_RUNS,   /* ask again later */
    PENDING_TIMED,  /* the times are filled in; the event is the adapter's no more */
    PENDING_UNTIMED /* there are no times; the event is the adapter's no more */
};

/* Ask for the times of a command, and give its event back once it has ended. */
typedef enum pending_answer (*pending_reader)(void *event, struct device_times *times);

struct pending {
    void *event; /* NULL: it is done with */
    pending_reader read;
    struct device_asked asked;
    uint32_t device;      /* whose clock the times are of */
    uint64_t start_ticks; /* of the call that asked; the command was queued within it */
    uint64_t end_ticks;
};

bool pending_init(void);

/* Is there room for another command of this thread? */
bool pending_has_room(void);

/* Returns: false when there is none. */
bool pending_add(const struct pending *pending);

/* After a command was added: look at the first commands of this thread, now and then. */
void pending_look(void);

/* Look at all commands of all threads. */
void pending_look_all(void);

/* Is this event waited for by this thread?  The library counts one reference more then. */
bool pending_holds(const void *event);

#endif
