/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shown frames as a document, for programs and for the page.
 */
#ifndef LIVE_LIVE_REPORT_H
#define LIVE_LIVE_REPORT_H

#include <stddef.h>

#include "document/document.h"
#include "live/live.h"

/* Build it: one process, or the processes of a job. */
void live_report_build(struct document *document, const struct live *live, size_t count);

#endif
