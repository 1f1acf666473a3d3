/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clocks of devices beside the host's.
 *
 * A device's clock was read between two moments of the host: by a call that asks for the time, or
 * because the library notes when a call queued a command.  The narrowest such instants go to the
 * trace with their width, so the analyzer can say how well it knows when a command ran.
 */
#ifndef DEVICE_CLOCK_JOIN_H
#define DEVICE_CLOCK_JOIN_H

#include <stdint.h>

/* A clock of this device stood at `device_ns` at some moment between two ticks of the host.
 * Budget: two loads and two comparisons, unless it is written.
 * Safety: any thread; not while a signal handler interrupts a record. */
void clock_join_note(uint32_t device, uint64_t start_ticks, uint64_t end_ticks, uint64_t device_ns);

#endif
