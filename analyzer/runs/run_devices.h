/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The devices of a run as quantities of the whole.
 */
#ifndef RUNS_RUN_DEVICES_H
#define RUNS_RUN_DEVICES_H

struct run_row;
struct session;

/* Set busy time, copied bytes and the peak of memory in the row of the whole.  They stay unknown in
 * a run without a device, and where commands have no times or memory is not known. */
void run_set_devices(struct run_row *row, const struct session *session);

#endif
