/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of tprof where: the process, its stacks and the threads in them, and each thread.
 */
#ifndef WHERE_REPORT_H
#define WHERE_REPORT_H

#include "document/document.h"

struct look_options;
struct looks;
struct subject;

/* Build the document, to be finished by the caller also after a failure. */
void where_report_build(const struct looks *looks, const struct subject *subject,
                        const struct look_options *options, struct document *document);

#endif
