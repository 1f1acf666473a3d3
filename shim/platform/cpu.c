/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPUID leaves 80000002h to 80000004h on x86-64; the main identification register on AArch64, which
 * has no name in words.
 */
#include "platform/cpu.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <asm/prctl.h>
#include <cpuid.h>

#include "platform/calls.h"

/* A program may forbid itself CPUID, which then raises SIGSEGV.  Kernels and processors that cannot
 * forbid it return an error to the question. */
static bool is_forbidden(void)
{
    return calls_system(SYS_arch_prctl, ARCH_GET_CPUID, 0) == 0;
}

void cpu_name(char *text, size_t size)
{
    unsigned words[12] = {0};
    char name[sizeof words + 1] = "";
    const char *start = name;

    for (unsigned i = 0; i < 3 && !is_forbidden(); i++)
        __get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2],
                    &words[4 * i + 3]);
    memcpy(name, words, sizeof words);
    while (*start == ' ')
        start++;
    snprintf(text, size, "%s", start);
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' '; length--)
        text[length - 1] = '\0';
}

#else
#include "platform/small_file.h"

void cpu_name(char *text, size_t size)
{
    static const char path[] = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1";
    char number[24];

    text[0] = '\0';
    if (small_file_read(path, number, sizeof number) > 0)
        snprintf(text, size, "AArch64 midr %.*s", (int)strcspn(number, "\n"), number);
}

#endif
