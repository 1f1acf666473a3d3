/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the next definitions.
 */
#include "hot/next.h"

#include <errno.h>

#include "hook/elf.h"
#include "hot/attributes.h"

/* Each pointer starts at a function that finds all and calls the real one. */
#define NEXT(result, name, parameters, arguments)                                                  \
    static COLD result find_##name parameters                                                      \
    {                                                                                              \
        next_find();                                                                               \
        return next.name arguments;                                                                \
    }
#define NEXT_VOID(name, parameters, arguments)                                                     \
    static COLD void find_##name parameters                                                        \
    {                                                                                              \
        next_find();                                                                               \
        next.name arguments;                                                                       \
    }
#include "hot/next.def"
#undef NEXT

struct next next = {
#define NEXT(result, name, parameters, arguments) .name = find_##name,
#include "hot/next.def"
#undef NEXT
};

static const char *const names[] = {
#define NEXT(result, name, parameters, arguments) #name,
#include "hot/next.def"
#undef NEXT
};

enum { NAME_COUNT = sizeof names / sizeof *names };

/* Stands for a function that no library has; nothing else could call it. */
static COLD void *missing(void)
{
    errno = ENOSYS;
    return NULL;
}

/* The members of struct next are function pointers of one size, in the order
 * of the rows. */
void next_find(void)
{
    void *found[NAME_COUNT] = {0};
    void **members = (void **)&next;

    _Static_assert(sizeof next == sizeof found, "a member a row");
    elf_find_next(names, found, NAME_COUNT);
    for (unsigned i = 0; i < NAME_COUNT; i++)
        members[i] = found[i] ? found[i] : (void *)missing;
}
