/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The start and the end of all pages.
 */
#ifndef PAGE_OUTLINE_H
#define PAGE_OUTLINE_H

#include "page/html.h"

/* Put the head, up to the start of the body.  The title is a foreign text. */
void outline_begin(struct html *html, const char *title);

/* Put the script and the end. */
void outline_end(struct html *html);

#endif
