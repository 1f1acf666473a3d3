/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Golden cases: input and expected output on one page of tests/cases.  A page has
 * sections; each begins with a line "-- NAME" or "-- NAME: for the reader".
 */
#ifndef UNIT_PAGE_H
#define UNIT_PAGE_H

/* Read the section of a page whole.  What is missing ends the test.
 * Returns: its text, for the caller to free. */
char *page_section(const char *page, const char *name);

#endif
