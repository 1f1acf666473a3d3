/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot as a drawing in the page, which needs no script.
 */
#ifndef PAGE_PLOTS_H
#define PAGE_PLOTS_H

#include "document/plot.h"
#include "page/html.h"

/* Put a plot with its axes and its legend; a plot without points becomes a line that says so. */
void plots_put(struct html *html, const struct plot *plot);

#endif
