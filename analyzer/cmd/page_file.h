/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A report as a page in a file of its own, beside a command's output.
 */
#ifndef CMD_PAGE_FILE_H
#define CMD_PAGE_FILE_H

#include <stdbool.h>

#include "base/attributes.h"
#include "base/status.h"
#include "document/document.h"

/* Write the page; a NULL path writes none.
 * Errors: those of destination_open. */
enum status page_file_write(const struct document *document, const char *title, const char *path,
                            bool may_overwrite, struct diagnostic *diagnostic) MUST_CHECK;

#endif
