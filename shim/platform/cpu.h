/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor's own name.
 */
#ifndef PLATFORM_CPU_H
#define PLATFORM_CPU_H

#include <stddef.h>

/* Write the name, or an empty text if it is unknown. */
void cpu_name(char *text, size_t size);

#endif
