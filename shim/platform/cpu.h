/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor's name, as it says it itself.
 */
#ifndef PLATFORM_CPU_H
#define PLATFORM_CPU_H

#include <stddef.h>

/* Write the name, or an empty text when it is not to be had. */
void cpu_name(char *text, size_t size);

#endif
