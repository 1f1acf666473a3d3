/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The texts of the trace: labels and names, each stored once under a number.
 */
#ifndef RECORD_STRINGS_H
#define RECORD_STRINGS_H

#include <stdbool.h>
#include <stdint.h>

/* The label of snapshots that a signal requests: the first text of every process, so a handler
 * knows its number. */
enum { STRINGS_SIGNAL = 1 };

/* Give that label its number.  The caller holds the process lock, and the
 * trace has just become a file. */
void strings_put_signal(const char *label);

/* Rows of fact_writers: the texts that are not in the trace yet, and how many found no room in the
 * table. */
bool strings_write_facts(unsigned *unused);
bool strings_write_refused(unsigned *written);

/* Give the number of a text, from 1; 0 when there is no room for it.
 * Safety: any thread; takes the process lock; the caller keeps errno. */
uint32_t strings_intern(const char *text);

/* The same for the name of a range; such names leave room for other texts.  Fills in whether the
 * text came now.  A refusal is not counted. */
uint32_t strings_intern_range(const char *text, bool *is_new);

#endif
