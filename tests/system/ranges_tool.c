/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Another tool of NVTX and ITT, that counts how often it was started: "other tool: NVTX 1".
 */
#include <stdio.h>

int InitializeInjectionNvtx2(const void *(*get_table)(unsigned table));
void __itt_api_init(void *global, unsigned groups);

int InitializeInjectionNvtx2(const void *(*get_table)(unsigned table))
{
    (void)get_table;
    puts("other tool: NVTX");
    return 1;
}

void __itt_api_init(void *global, unsigned groups)
{
    (void)global;
    (void)groups;
    puts("other tool: ITT");
}

/* When this file is linked into a program. */
#ifdef LINKED
int (*InitializeInjectionNvtx2_fnptr)(const void *(*)(unsigned)) = InitializeInjectionNvtx2;
#endif
