/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The outline: all of a trace except its events.  The outline has the process, its threads and
 * their totals, names and call chains.  The outline is needed to read the events one by one.
 */
#ifndef MODEL_OUTLINE_H
#define MODEL_OUTLINE_H

#include "base/attributes.h"
#include "base/status.h"
#include "model/chains.h"
#include "model/clock.h"
#include "model/facts.h"
#include "model/tallies.h"
#include "reader/reader.h"

struct session;
struct session_options;

/* The readers' state, which refers to the session. */
struct outline {
    struct reader reader;
    struct clock clock;
    struct facts facts;
    struct tallies tallies;
    struct chains chains;
};

/* Open a trace, and read it into a session that is empty.  The session keeps no pointer to the
 * outline.
 * Errors: those of session_open; both may be closed even then. */
enum status outline_open(struct outline *outline, struct session *session, const char *path,
                         const struct session_options *options,
                         struct diagnostic *diagnostic) MUST_CHECK;

/* The same without call chains, for callers that read no events. */
enum status outline_open_totals(struct outline *outline, struct session *session, const char *path,
                                const struct session_options *options,
                                struct diagnostic *diagnostic) MUST_CHECK;

void outline_close(struct outline *outline);

#endif
