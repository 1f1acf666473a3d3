/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding out whether there are protection keys.
 */
#include "platform/keys.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

bool keys_exist;

/* Ask whether the kernel has enabled keys: CPUID 7, ECX bit 4 (OSPKE; Intel SDM 2A). */
void keys_init(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;

    keys_exist = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & (1u << 4)) != 0;
#endif
}
