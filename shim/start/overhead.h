/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of recording, measured by the shim on itself.
 */
#ifndef START_OVERHEAD_H
#define START_OVERHEAD_H

/* Record into a scratch lane, and store the mean cost of each kind of event in the header of the
 * trace, which has just become a file.  A row of room.h.
 * Units: 1/256 ticks an event.  Takes some ten microseconds. */
void overhead_keep(void);

#endif
