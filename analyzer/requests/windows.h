/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests by windows of time, such as hours: tprof report --every 1h.
 */
#ifndef REQUESTS_WINDOWS_H
#define REQUESTS_WINDOWS_H

#include <stdint.h>

struct document;
struct session;

struct windows {
    uint64_t every_ns; /* length of each; above 0 */
    uint64_t max_ns;   /* a longer request violates the limit */
};

/* Fill a document that was not initialized.  Windows are aligned to the clock, in UTC.  A request
 * belongs to the window of its end. */
void windows_build(const struct session *session, const struct windows *windows,
                   struct document *document);

#endif
