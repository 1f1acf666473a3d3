/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A service in one line, for the first screen of a report.
 */
#ifndef REQUESTS_SERVICE_LINE_H
#define REQUESTS_SERVICE_LINE_H

struct session;
struct text;

/* Append "4,812 requests, 78/s: p50 1.2 ms, p99 2.4 ms; slowest endpoint GET /search, p99 9.1 ms".
 * Appends nothing for a program that served none. */
void service_line_append(struct text *line, const struct session *session, double confidence);

#endif
