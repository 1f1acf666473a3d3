/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Golden cases: input and expected output on one page of tests/cases.  A page has
 * sections; each begins with a line "-- NAME" or "-- NAME: for the reader".
 */
#ifndef UNIT_PAGE_H
#define UNIT_PAGE_H

/* Read a whole section of a page.  A missing section ends the test.
 * Returns: its text, for the caller to free. */
char *page_section(const char *page, const char *name);

/* Compare the output with a section.  If it differs, the whole output is left in the working
 * directory as PAGE.out, and the first different line ends the test. */
void page_compare(const char *page, const char *name, const char *found);

#endif
