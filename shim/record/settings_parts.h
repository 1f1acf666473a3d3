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

/* Read TPROF_KEEP. */
void settings_read_keep(void);

/* Check what its conditions need, once all options are read. */
void settings_check_keep(void);

#endif
