/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof live --serve: the page, its data, and metrics.
 */
#ifndef CMD_LIVE_PAGE_H
#define CMD_LIVE_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "live/live.h"

/* Serve until the program is ended by a signal.
 * Errors: those of http_open. */
enum status live_page_serve(struct live *live, size_t count, const char *address, uint64_t every_ns,
                            struct diagnostic *diagnostic) MUST_CHECK;

#endif
