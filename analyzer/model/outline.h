/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a trace tells beside its events: the process, its threads and their totals, names and
 * call chains.  With it the events can be read one by one.
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

/* What refers to the session, and is not in it. */
struct outline {
    struct reader reader;
    struct clock clock;
    struct facts facts;
    struct tallies tallies;
    struct chains chains;
};

/* Open a trace, and read it into a session that is empty.  The session keeps no pointer to the
 * outline.
 * Errors: those of session_open; both may be closed all the same. */
enum status outline_open(struct outline *outline, struct session *session, const char *path,
                         const struct session_options *options,
                         struct diagnostic *diagnostic) MUST_CHECK;

void outline_close(struct outline *outline);

#endif
