/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all pages begin and end with.
 */
#ifndef PAGE_OUTLINE_H
#define PAGE_OUTLINE_H

#include "page/html.h"

/* Put the head, up to the begin of the body.  The title is a foreign text. */
void outline_begin(struct html *html, const char *title);

/* Put the script and the end. */
void outline_end(struct html *html);

#endif
