/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file that appears whole or not at all; until the new file is whole, the old one stays.
 *
 * The file is written in its final folder under a hidden name, and renamed at the end.  A link
 * stays a link: the file that it points to is replaced or made.
 */
#ifndef BASE_WHOLE_FILE_H
#define BASE_WHOLE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/attributes.h"
#include "base/memory.h"
#include "base/text.h"

struct whole_file {
    int descriptor; /* where the caller writes */
    bool may_replace;
    char path[PATH_MAX];      /* its place */
    char temporary[PATH_MAX]; /* the hidden name */
    struct memory_last_work removal;
};

/* Ask whether a file could be started at a path.  Returns: false, with errno. */
bool whole_file_is_possible(const char *path);

/* Start a file with the permissions, owner and group of `like`; for NULL, those of a new file.  If
 * we may not set the owner and group, the file is ours, without access for groups.
 *
 * Returns: false, with errno; EINVAL: something other than a regular file has the name.
 */
bool whole_file_open(struct whole_file *file, const char *path, bool may_replace,
                     const struct stat *like) MUST_CHECK;

/* Close the file and put it in its place.  A file that another process made meanwhile at this place
 * is kept, unless it may be replaced.  A replaced file is lost only after the new one is stored.
 *
 * Returns: false, with errno; the new file is then removed.
 */
bool whole_file_finish(struct whole_file *file) MUST_CHECK;

/* Close and remove it. */
void whole_file_discard(struct whole_file *file);

/* Write a text to a file; an existing file keeps its permissions.
 * Returns: false, with errno. */
bool whole_file_put(const char *path, const struct text *text) MUST_CHECK;

#endif
