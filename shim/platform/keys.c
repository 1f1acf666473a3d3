/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding out whether there are protection keys.
 */
#include "platform/keys.h"

#include "platform/cpu_leaf.h"

bool keys_exist;

void keys_init(void)
{
#if defined(__x86_64__)
    keys_exist = cpu_leaf_has_keys();
#endif
}
