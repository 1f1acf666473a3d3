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

/* SESSION_SHORT_NS, nobody asks. */
struct session_options session_defaults(void);

/* Read a trace whole.
 * Errors: STATUS_IO, STATUS_CORRUPT, STATUS_UNSUPPORTED with a diagnostic
 * that names the file and the byte; the session is then empty.  A trace that
 * is damaged behind its head opens, with doubts and losses.  STATUS_USAGE: the
 * window begins behind the end of the recording.
 * Units: memory grows with what is alive and distinct, by 24 bytes a call of a
 * region, and by as many of each of the first 10^7 kernel calls: more are drawn. */
enum status session_open(struct session *session, const char *path,
                         const struct session_options *options,
                         struct diagnostic *diagnostic) MUST_CHECK;

/* The same, and leave open what the events of the trace refer to, for who reads them again one
 * by one; it is to be closed before the session.
 * Errors: the same; both are then closed. */
enum status session_open_outline(struct session *session, struct outline *outline,
                                 const char *path, const struct session_options *options,
                                 struct diagnostic *diagnostic) MUST_CHECK;

void session_close(struct session *session);

#endif
