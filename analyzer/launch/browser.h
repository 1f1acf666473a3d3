/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The user's browser.
 */
#ifndef LAUNCH_BROWSER_H
#define LAUNCH_BROWSER_H

#include "base/attributes.h"
#include "base/status.h"

/* Open a file by the first command of $BROWSER that succeeds, or by xdg-open on a display, and wait
 * until the command ends: browsers of a terminal need that, and others return at once.
 * Errors: STATUS_IO: nothing opened it. */
enum status browser_open(const char *path, struct diagnostic *diagnostic) MUST_CHECK;

#endif
