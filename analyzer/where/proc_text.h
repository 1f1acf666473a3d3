/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files of /proc about a process and its threads: each may vanish at any time.
 */
#ifndef WHERE_PROC_TEXT_H
#define WHERE_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"

/* Longer than any file of /proc that one line or a few words fill. */
enum { PROC_TEXT_SIZE = 4096 };

/* Read a file below /proc/PID, or below /proc/PID/task/TID unless `tid` is 0.
 *
 * Returns: false when the file cannot be read; errno says why, and the text is empty. */
bool proc_text_read(pid_t pid, pid_t tid, const char *name, char text[PROC_TEXT_SIZE]);

/* The same for a link, such as exe or fd/3. */
bool proc_text_read_link(pid_t pid, const char *name, char text[PROC_TEXT_SIZE]);

/* Append a file of any length.
 *
 * Errors: STATUS_NOT_FOUND when it cannot be read.
 */
enum status proc_text_append(struct text *text, pid_t pid, const char *name) MUST_CHECK;

/* Find a field of a file such as status: the text after "Name:" and spaces.
 *
 * Returns: the field, ended by a newline; NULL when there is none. */
const char *proc_text_find(const char *text, const char *name);

/* The same for a number.  Returns: `otherwise` when there is none. */
uint64_t proc_text_number(const char *text, const char *name, uint64_t otherwise);

/* Find field `number` of stat, counted from 1, where the second is the name in parentheses.
 *
 * Returns: the field, ended by a blank; NULL when there is none.  Source: proc(5). */
const char *proc_text_stat(const char *text, unsigned number);

#endif
