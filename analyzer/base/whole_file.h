/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file that is there whole, or is not there, or is still the old one.
 *
 * It is written beside its place, under a hidden name that nobody takes for it, and takes its
 * place at the end.  A link stays one: the file behind it is replaced, or made.
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
    int descriptor; /* to write to */
    bool may_replace;
    char path[PATH_MAX];      /* its place */
    char temporary[PATH_MAX]; /* where it is until then */
    struct memory_last_work removal;
};

/* Ask whether one could be begun there.  Returns: false, with errno. */
bool whole_file_is_possible(const char *path);

/* Begin one, which may be read and written by whom `like` may; of NULL, by whom a new file
 * may.  Where we may not give it that owner and group, it is ours, and no other group's.
 *
 * Returns: false, with errno; EINVAL where something is that is no regular file.
 */
bool whole_file_open(struct whole_file *file, const char *path, bool may_replace,
                     const struct stat *like) MUST_CHECK;

/* Close it and put it in its place.  A file that came into being there meanwhile is kept,
 * unless it may be replaced.  What is replaced is lost only when the new one is stored.
 *
 * Returns: false, with errno; then it is removed.
 */
bool whole_file_finish(struct whole_file *file) MUST_CHECK;

/* Close and remove it. */
void whole_file_discard(struct whole_file *file);

/* Put a text in a file, which keeps its permissions where it is there already.
 * Returns: false, with errno. */
bool whole_file_put(const char *path, const struct text *text) MUST_CHECK;

#endif
