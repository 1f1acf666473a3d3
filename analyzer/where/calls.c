/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System calls.
 */
#include "where/calls.h"

#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

static const struct {
    long number;
    const char *name;
} names[] = {
#define CALL(name) {SYS_##name, #name},
#include "where/call_names.def"
#undef CALL
};

static const struct calls_wait waits[] = {
#define WAIT(name, effect, first, waits_for) {#name, CALLS_##effect, CALLS_##first, waits_for},
#include "where/calls.def"
#undef WAIT
};

const char *calls_name(long number)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return NULL;
}

struct calls_wait calls_find_wait(const char *name)
{
    for (size_t i = 0; name && i < sizeof waits / sizeof *waits; i++)
        if (strcmp(waits[i].name, name) == 0)
            return waits[i];
    return (struct calls_wait){name, CALLS_SEEN, CALLS_OTHER, NULL};
}
