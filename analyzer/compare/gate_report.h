/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The document of the gate: a headline, the failures, and all checks.
 */
#ifndef COMPARE_GATE_REPORT_H
#define COMPARE_GATE_REPORT_H

#include "compare/gate.h"
#include "document/document.h"

/* Fill a document that was not initialized; its verdict is the gate's. */
void gate_report_build(const struct gate *gate, struct document *document);

#endif
