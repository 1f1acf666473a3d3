/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of settings.
 */
#ifndef RECORD_SETTINGS_PARTS_H
#define RECORD_SETTINGS_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/settings.h"

/* Note the first mistake in the environment, and take the default. */
void settings_note_mistake(enum settings_id id, const char *expected);

/* Read a whole size, a time in ns, or a percentage in parts of a million: the whole text.
 * Returns: false when the text is not that; the value stays then. */
bool settings_read_size(const char *text, uint64_t *value);
bool settings_read_duration(const char *text, uint64_t *value);
bool settings_read_millionths(const char *text, uint64_t *value);

/* Read a number such as 2.5 that begins a text, times `scale`, a power of ten: digits behind the
 * point that the scale has no place for end it.  So do digits of a number above `most`.
 * Returns: what follows; NULL when the text begins with no digit. */
const char *settings_read_decimal(const char *text, uint64_t scale, uint64_t most, uint64_t *value);

/* Read TPROF_KEEP. */
void settings_read_keep(void);

/* Check what its conditions need, once all options are read. */
void settings_check_keep(void);

#endif
