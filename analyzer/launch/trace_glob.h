/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files whose names TPROF_OUTPUT gives.
 */
#ifndef LAUNCH_TRACE_GLOB_H
#define LAUNCH_TRACE_GLOB_H

#include <glob.h>
#include <sys/types.h>

/* Find those of a process, or of any for 0.  Other files may have such names, too.  The caller
 * calls globfree. */
void trace_glob(glob_t *found, pid_t child);

#endif
