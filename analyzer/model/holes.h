/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When records of a thread are missing: what losses count, holes place in time.
 */
#ifndef MODEL_HOLES_H
#define MODEL_HOLES_H

#include "base/attributes.h"
#include "base/status.h"
#include "model/losses.h"

struct session;

/* Fill the session's holes, by thread and time; its threads and losses must be known.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status holes_find(struct session *session, const struct losses_sources *sources) MUST_CHECK;

#endif
