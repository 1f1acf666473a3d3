/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examines a file that exec would run.
 *
 * Safety: any time, also in a child of vfork or clone.  Allocates nothing and leaves errno alone,
 * because such a child may lack thread-local storage.
 */
#ifndef PLATFORM_PROGRAM_FILE_H
#define PLATFORM_PROGRAM_FILE_H

#include <stdbool.h>

/* A file as the functions of exec name it. */
struct program_file {
    int folder; /* start of a relative path: AT_FDCWD, or a descriptor */
    const char *path;
    int flags;           /* flags of execveat */
    bool is_searched;    /* in PATH, unless it has a slash */
    bool takes_any_text; /* a file that is no program is a script of /bin/sh */
};

/* Can the dynamic linker load this library into the program?  The interpreter decides for a script.
 * Returns: false for a static program and for a program of another machine; true when unknown. */
bool program_file_can_load(const struct program_file *file);

/* Can this process read a file, as the dynamic linker of its next program will? */
bool program_file_is_readable(const char *path);

#endif
