/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a trace as a session, and closing it.
 */
#ifndef MODEL_SESSION_OPEN_H
#define MODEL_SESSION_OPEN_H

#include "base/attributes.h"
#include "base/status.h"
#include "model/session.h"

struct outline;

/* SESSION_SHORT_NS, no progress function. */
struct session_options session_defaults(void);

/* Read a whole trace.
 * Errors: STATUS_IO, STATUS_CORRUPT, STATUS_UNSUPPORTED with a diagnostic that names the file and
 * the byte; the session is then empty.  A trace that is damaged after its header opens, with doubts
 * and losses.  STATUS_USAGE: the window starts after the end of the recording.  Memory grows with
 * live blocks and distinct chains, and by 24 bytes for each call of a region or kernel; above 10^7,
 * kernel calls are drawn. */
enum status session_open(struct session *session, const char *path,
                         const struct session_options *options,
                         struct diagnostic *diagnostic) MUST_CHECK;

/* The same, but the outline stays open, for callers that read the events again one by one.  It must
 * be closed before the session.
 * Errors: the same; both are then closed. */
enum status session_open_outline(struct session *session, struct outline *outline,
                                 const char *path, const struct session_options *options,
                                 struct diagnostic *diagnostic) MUST_CHECK;

/* Read only the facts and totals of a trace, which may still grow: no events, and no call chains.
 * The outline stays open, and must be closed before the session.
 * Errors: the same; both are then closed. */
enum status session_open_totals(struct session *session, struct outline *outline, const char *path,
                                struct diagnostic *diagnostic) MUST_CHECK;

void session_close(struct session *session);

#endif
