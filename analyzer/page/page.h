/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace as one page of HTML that needs nothing beside it: no network, no other file, and for
 * its tables no script.
 *
 * The same trace gives the same bytes.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"
#include "figures/analysis.h"
#include "model/session.h"

struct page_request {
    const struct session *session;
    const struct analysis_options *options;
    bool shows_arguments; /* those of the program, and its environment */
    bool shows_sources;   /* texts of its source files */
    struct session_sources sources; /* where these are */
};

/* Write the page.  What cannot be written is an error of `out`.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status page_write(const struct page_request *request, FILE *out) MUST_CHECK;

#endif
