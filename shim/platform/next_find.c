/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the next definitions.
 *
 * Decisions: doc/decisions/old-and-other-libcs, symbols-without-dlsym.
 */
#include "platform/next_find.h"

#include <errno.h>

#include "platform/attributes.h"
#include "platform/link_list.h"
#include "platform/musl.h"
#include "platform/next.h"

/* The result of a function that no library has. */
#define NO_RESULT(result) _Generic((result)0, int : -1, long : -1L, default : (result)0)

/* Each pointer first leads to a function that finds all of them and calls the real one.  It stays
 * there while no library has the real one: before glibc 2.34, threads and dlopen came with separate
 * libraries, which the program may load later. */
#define NEXT(result, name, parameters, arguments)                                                  \
    static COLD result find_##name parameters                                                      \
    {                                                                                              \
        next_find();                                                                               \
        if (next.name != find_##name)                                                              \
            return next.name arguments;                                                            \
        errno = ENOSYS;                                                                            \
        return NO_RESULT(result);                                                                  \
    }
#define NEXT_VOID(name, parameters, arguments)                                                     \
    static COLD void find_##name parameters                                                        \
    {                                                                                              \
        next_find();                                                                               \
        if (next.name != find_##name)                                                              \
            next.name arguments;                                                                   \
    }
#define NEXT_IF_ANY(result, name, parameters)
#include "platform/next.def"
#undef NEXT

struct next next = {
#define NEXT(result, name, parameters, arguments) .name = find_##name,
#define NEXT_IF_ANY(result, name, parameters) .name = NULL,
#include "platform/next.def"
#undef NEXT
};

static const char *const names[] = {
#define NEXT(result, name, parameters, arguments) #name,
#include "platform/next.def"
#undef NEXT
};

enum { NAME_COUNT = sizeof names / sizeof *names };

/* Only the allocator of a block knows its size, and it may have no such function.  LeakSanitizer
 * ends a program that asks it during the start. */
static void leave_out_foreign_size(void)
{
    uintptr_t base = link_list_find_base((const void *)next.malloc_usable_size);

    if (link_list_defines("__lsan_init") ||
        base != link_list_find_base((const void *)next.malloc) ||
        base != link_list_find_base((const void *)next.free))
        next.malloc_usable_size = NULL;
}

/* The members of struct next are function pointers of the same size, in the order of the rows. */
void next_find(void)
{
    void *found[NAME_COUNT] = {0};
    void **members = (void **)&next;

    _Static_assert(sizeof next == sizeof found, "a member a row");
    _Static_assert((int)NAME_COUNT <= (int)LINK_LIST_NAMES_MAX, "there is room for all");
    link_list_find_next(names, found, NAME_COUNT);
    for (unsigned i = 0; i < NAME_COUNT; i++)
        if (found[i])
            members[i] = found[i];
    leave_out_foreign_size();
    musl_replace(&next);
}
