/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions of each processor.  Sources: Intel's manual, volume 2, CALL; Arm's manual of
 * architecture A, BL and BLR; __restore_rt of glibc and of the kernel's vDSO.
 */
#include "where/code.h"

#include <string.h>

#include "where/image.h"

#if defined __x86_64__

/* A call is of a relative address, or through a register or memory. */
bool code_follows_call(struct image *image, uint64_t address)
{
    enum { LONGEST = 7, SHORTEST = 2, RELATIVE = 0xe8, RELATIVE_SIZE = 5, GROUP = 0xff };
    enum { KIND_MASK = 0x38, KIND_CALL = 0x10 };
    unsigned char bytes[LONGEST];

    if (!image_read(image, address - LONGEST, bytes, sizeof bytes))
        return false;
    if (bytes[LONGEST - RELATIVE_SIZE] == RELATIVE)
        return true;
    for (int size = SHORTEST; size <= LONGEST; size++)
        if (bytes[LONGEST - size] == GROUP && (bytes[LONGEST - size + 1] & KIND_MASK) == KIND_CALL)
            return true;
    return false;
}

/* mov $15, %rax; syscall */
static const unsigned char end_of_signal[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};

#else

/* All instructions take a word. */
bool code_follows_call(struct image *image, uint64_t address)
{
    const uint32_t direct_mask = 0xfc000000, direct = 0x94000000;
    const uint32_t indirect_mask = 0xfffff000, indirect = 0xd63f0000;
    uint32_t word;

    return image_read(image, address - sizeof word, &word, sizeof word) &&
           ((word & direct_mask) == direct || (word & indirect_mask) == indirect);
}

/* mov x8, #139; svc #0 */
static const unsigned char end_of_signal[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4};

#endif

bool code_ends_signal(struct image *image, uint64_t address)
{
    unsigned char bytes[sizeof end_of_signal];

    return image_read(image, address, bytes, sizeof bytes) &&
           memcmp(bytes, end_of_signal, sizeof bytes) == 0;
}
