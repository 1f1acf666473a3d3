/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The peaks of a machine, for people: `tprof calibrate --show`.
 */
#ifndef KERNELS_MACHINE_REPORT_H
#define KERNELS_MACHINE_REPORT_H

#include "document/document.h"
#include "model/machine.h"

/* Fill a document that was not initialized. */
void machine_report_build(const struct machine *machine, struct document *document);

#endif
