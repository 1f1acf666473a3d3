/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds CPython among the loaded objects: a program, a library, or a part of another program.
 *
 * Safety: under the lock of hook.c.
 */
#ifndef HOOK_PYTHON_H
#define HOOK_PYTHON_H

/* The load map may have changed. */
void hook_python_look(void);

#endif
