/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jumps out of the interpreter's loop.
 *
 * On x86 every byte is tried as the start of a jump.  False jumps lead anywhere; two jumps to
 * different places in the same other function count as real.  A jump to the start of a function is
 * a tail call of the loop.
 */
#include "spec/python_loop.h"

#include <string.h>

enum { CANDIDATES = 16, FAR = 1 << 24 };

/* A function that is jumped to. */
struct candidate {
    struct python_range range;
    uint64_t target;
};

#if defined(__x86_64__)

enum { STEP = 1, JUMP_SIZE = 6 };

/* Returns: the target of the jump at `at`; 0: there is no jump. */
static uint64_t find_target(const unsigned char *code, uint64_t at)
{
    enum { JUMP = 0xe9, LONG = 0x0f, CONDITIONS = 0x80, CONDITION_MASK = 0xf0 };
    unsigned head = code[0] == JUMP ? 1 : 2;
    int32_t distance;

    if (code[0] != JUMP && (code[0] != LONG || (code[1] & CONDITION_MASK) != CONDITIONS))
        return 0;
    memcpy(&distance, code + head, sizeof distance);
    return at + head + sizeof distance + (uint64_t)(int64_t)distance;
}

#else

enum { STEP = 4, JUMP_SIZE = 4 };

static int64_t extend(uint32_t bits, unsigned width)
{
    return ((int64_t)bits ^ (INT64_C(1) << (width - 1))) - (INT64_C(1) << (width - 1));
}

/* b, b.cond, cbz, cbnz, tbz, tbnz */
static uint64_t find_target(const unsigned char *code, uint64_t at)
{
    uint32_t word;
    int64_t words;

    memcpy(&word, code, sizeof word);
    if ((word & 0xfc000000) == 0x14000000)
        words = extend(word & 0x3ffffff, 26);
    else if ((word & 0xff000010) == 0x54000000 || (word & 0x7e000000) == 0x34000000)
        words = extend(word >> 5 & 0x7ffff, 19);
    else if ((word & 0x7e000000) == 0x36000000)
        words = extend(word >> 5 & 0x3fff, 14);
    else
        return 0;
    return at + (uint64_t)(words * (int64_t)sizeof word);
}

#endif

static bool is_beside(uint64_t target, struct python_range loop)
{
    return target != 0 && (target < loop.start || target >= loop.end) &&
           target + FAR >= loop.start && target < loop.end + FAR;
}

/* Notes the target of a jump.  Returns: the function, if this is its second target; or NULL. */
static const struct candidate *note(struct candidate *candidates, struct python_range range,
                                    uint64_t target)
{
    for (unsigned i = 0; i < CANDIDATES; i++) {
        struct candidate *candidate = &candidates[i];

        if (candidate->range.end == 0)
            *candidate = (struct candidate){range, target};
        if (candidate->range.start == range.start)
            return candidate->target != target ? candidate : NULL;
    }
    return NULL;
}

struct python_range python_loop_find_rest(const unsigned char *code, struct python_range loop,
                                          python_range_finder finder, void *of)
{
    struct candidate candidates[CANDIDATES] = {0};

    for (uint64_t at = loop.start; at + JUMP_SIZE <= loop.end; at += STEP) {
        uint64_t target = find_target(code + (at - loop.start), at);
        const struct candidate *found;
        struct python_range range;

        if (!is_beside(target, loop) || !finder(of, target, &range) || range.start == loop.start)
            continue;
        found = note(candidates, range, target);
        if (found)
            return found->range;
    }
    return (struct python_range){0};
}
