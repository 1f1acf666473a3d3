/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs of Go, which make their system calls themselves.
 */
#ifndef SYMBOLS_GO_PROGRAM_H
#define SYMBOLS_GO_PROGRAM_H

#include <stdbool.h>

/* Ask whether Go's compiler built a file.  Returns: false, too, when it cannot be read. */
bool go_program_is(const char *path);

#endif
