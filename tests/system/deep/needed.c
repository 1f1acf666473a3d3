/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library that the plugin needs, and that is loaded with it.
 */
#include <stdlib.h>

void *needed_obtain(size_t size);

void *needed_obtain(size_t size)
{
    return calloc(1, size);
}
