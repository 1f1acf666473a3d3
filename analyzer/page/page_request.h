/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The request for a page.
 */
#ifndef PAGE_PAGE_REQUEST_H
#define PAGE_PAGE_REQUEST_H

#include <stdbool.h>

#include "model/session.h"

struct analysis_options;

struct page_request {
    const struct session *session;
    const struct analysis_options *options;
    bool shows_arguments; /* arguments and environment of the program */
    bool shows_sources;   /* texts of its source files */
    struct session_sources sources; /* where the sources are */
};

#endif
