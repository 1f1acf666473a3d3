/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The user's kernels: those described in files, and those listed by name.
 */
#ifndef HOOK_USER_FILES_H
#define HOOK_USER_FILES_H

#include <stdbool.h>

/* Read the files of TPROF_KERNELS and the list of TPROF_WRAP, and add their kernels to the catalog.
 * A file with a mistake is left out; `tells`: the mistake is reported on standard error. */
void user_files_read(bool tells);

#endif
