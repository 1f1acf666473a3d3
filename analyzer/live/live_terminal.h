/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A full screen on a terminal, by plain escape sequences.
 *
 * The terminal shows its alternate screen meanwhile.  It is restored at the end, and by the handler
 * of a signal that ends the program: that calls only write, tcsetattr and raise.
 *
 * Source: ECMA-48; the sequences of xterm; CSI ?2026, synchronized output.
 */
#ifndef LIVE_LIVE_TERMINAL_H
#define LIVE_LIVE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text_list.h"

/* Ask whether standard input and output are a terminal that can show a screen. */
bool live_terminal_is_there(void);

/* Take the terminal, and give it back. */
void live_terminal_open(bool has_colour);
void live_terminal_close(void);

/* Its size now. */
void live_terminal_size(size_t *width, size_t *height);

/* Show these lines; only those that differ from the last ones are written. */
void live_terminal_show(const struct text_list *lines);

enum { LIVE_KEY_NONE = 0, LIVE_KEY_RESIZED = -1, LIVE_KEY_GONE = -2 };

/* Wait for a key.  Returns: the key; LIVE_KEY_NONE after the time; LIVE_KEY_RESIZED: the size has
 * changed; LIVE_KEY_GONE: nobody is there. */
int live_terminal_wait(int timeout_ms);

#endif
