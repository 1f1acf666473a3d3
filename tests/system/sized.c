/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that obtain and free blocks of 16 to 20,000 bytes, called at random in proportion to
 * their rows.  Prints the truth: a function, its size, and its calls.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 10000000 };

/* FUNCTION(name, size, parts of 64 of the calls) */
#define FUNCTIONS(FUNCTION)                                                                        \
    FUNCTION(tiny, 16, 24)                                                                         \
    FUNCTION(small, 24, 12)                                                                        \
    FUNCTION(row, 48, 8)                                                                           \
    FUNCTION(line, 100, 6)                                                                         \
    FUNCTION(record, 300, 4)                                                                       \
    FUNCTION(page, 1000, 4)                                                                        \
    FUNCTION(piece, 5000, 4)                                                                       \
    FUNCTION(large, 20000, 2)

static void *volatile kept;

#define FUNCTION(name, size, parts)                                                                \
    static __attribute__((noinline)) void name(void)                                               \
    {                                                                                              \
        kept = malloc(size);                                                                       \
        free(kept);                                                                                \
    }
FUNCTIONS(FUNCTION)
#undef FUNCTION

struct function {
    const char *name;
    void (*call)(void);
    unsigned size;
    unsigned parts;
    unsigned long calls;
};

static struct function functions[] = {
#define FUNCTION(name, size, parts) {#name, name, size, parts, 0},
    FUNCTIONS(FUNCTION)
#undef FUNCTION
};

enum { COUNT = sizeof functions / sizeof *functions };

/* xorshift64 (Marsaglia, "Xorshift RNGs", 2003). */
static unsigned draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (unsigned)(*state >> 58);
}

int main(void)
{
    uint64_t state = UINT64_C(88172645463325252);

    for (int i = 0; i < CALLS; i++) {
        unsigned at = draw(&state);
        struct function *function = functions;

        while (at >= function->parts)
            at -= function++->parts;
        function->call();
        function->calls++;
    }
    for (int i = 0; i < COUNT; i++)
        printf("%s %u %lu\n", functions[i].name, functions[i].size, functions[i].calls);
    return 0;
}
