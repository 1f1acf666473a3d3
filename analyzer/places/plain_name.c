/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of the C library by the names that programs call them.
 *
 * Source: sysdeps/x86_64/multiarch and sysdeps/aarch64/multiarch of glibc.
 */
#include "places/plain_name.h"

#include <string.h>

#include "base/text.h"
#include "base/wildcard.h"

/* Words at the end, behind an underscore, that name the processor of a variant. */
static const char *const variants[] = {
    "avx",   "avx2",      "avx512", "evex", "evex512", "sse2",       "sse4",   "sse41",
    "sse42", "ssse3",     "erms",   "rtm",  "movbe",   "fma",        "fma3",   "fma4",
    "1",     "unaligned", "no",     "bsf",  "hle",     "vzeroupper", "ifunc",  "generic",
    "sve",   "mte",       "asimd",  "mops", "a64fx",   "falkor",     "kunpeng", "thunderx",
    "impl",
};

/* Prefixes of inner names of the C library. */
static const char *const inner[] = {"__GI_", "__libc_", "__ieee754_", "_int_"};

bool plain_name_is_libc(const char *module)
{
    return module && (wildcard_matches("^libc.so", module) || wildcard_matches("^libm.so", module));
}

static const char *skip_inner(const char *name)
{
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        if (strncmp(name, inner[i], strlen(inner[i])) == 0)
            return name + strlen(inner[i]);
    return strncmp(name, "__", 2) == 0 ? name + strspn(name, "_") : name;
}

static bool is_variant(const char *word, size_t size)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strlen(variants[i]) == size && memcmp(variants[i], word, size) == 0)
            return true;
    return false;
}

/* Returns: the bytes of a name in front of such words. */
static size_t measure(const char *name)
{
    size_t size = strlen(name);

    for (size_t i = size; i > 1; i--) {
        if (name[i - 1] != '_')
            continue;
        if (!is_variant(name + i, size - i))
            break;
        size = i - 1;
    }
    return size;
}

void plain_name_append(struct text *text, const char *name)
{
    for (const char *own = skip_inner(name); own > name && *own; own = skip_inner(name))
        name = own;
    text_append_bytes(text, name, measure(name));
}
