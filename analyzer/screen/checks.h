/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of `tprof doctor`: the subject of each, its state, and advice.
 */
#ifndef SCREEN_CHECKS_H
#define SCREEN_CHECKS_H

#include "base/array.h"
#include "base/attributes.h"
#include "document/document.h"

struct analysis_options;
struct session;

enum check_id {
#define CHECK(id, area, key, title, action) CHECK_##id,
#include "screen/checks.def"
#undef CHECK
    CHECKS
};

enum check_state { CHECK_OK, CHECK_WARN, CHECK_UNKNOWN };

enum { CHECK_TEXT_SIZE = 400 };

struct check {
    enum check_id id;
    enum check_state state;
    char found[CHECK_TEXT_SIZE];
};

/* Checks that were made, in the order of their making; and the first failure. */
struct checks {
    struct array items; /* of struct check */
    enum status status;
};

void checks_init(struct checks *checks);
/* State the result of a check.  A failure stays in `checks`. */
void checks_say(struct checks *checks, enum check_id id, enum check_state state, const char *format,
                ...) PRINTF_LIKE(4, 5);

/* Check a recording: whether it is long enough, of the right kind, and undisturbed.  Source of the
 * thresholds: 30 calls for an interval of the mean, 3 of warm-up, 10 us and 15 % for calls that are
 * too short (XProf), 5 % for tprof's own cost. */
void checks_of_trace(struct checks *checks, const struct session *session,
                     const struct analysis_options *options);

/* Make a document that was not initialized: a section an area for people, all rows for
 * programs. */
void checks_report_build(const struct checks *checks, struct document *document);

/* The same for a row of texts.def: see say. */
#define checks_report(checks, id, state, ...)                                                      \
    checks_report_all(checks, id, state, SAID_LIST(__VA_ARGS__))
void checks_report_all(struct checks *checks, enum check_id id, enum check_state state,
                       const struct said *said);

#endif
