/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file that compresses its bytes (gzip, RFC 1952).
 */
#ifndef EXPORT_GZIP_H
#define EXPORT_GZIP_H

#include <stdio.h>

/* Open a file before another, which stays open when it is closed.  Equal bytes make equal files:
 * the head has no time and no name.
 * Returns: the file, to be closed by fclose.  A failed write leaves its mark on `out`. */
FILE *gzip_open(FILE *out);

#endif
