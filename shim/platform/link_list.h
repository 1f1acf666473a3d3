/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of loaded objects that the dynamic linker keeps for debuggers.
 *
 * Safety: any time, even before libc has started; allocates nothing.
 */
#ifndef PLATFORM_LINK_LIST_H
#define PLATFORM_LINK_LIST_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/elf.h"

/* The list, and whether the linker is changing it just now. */
const struct r_debug *link_list_get(void);

/* Is the C library musl? */
bool link_list_is_musl(void);

/* Visit the objects of dlmopen, outside of the first namespace; `space` is the
 * namespace.
 * Safety: inside dl_iterate_phdr, which keeps the objects loaded. */
typedef void (*link_list_visitor)(struct dl_phdr_info *info, const void *space);
void link_list_visit_spaces(link_list_visitor visit);

/* Does any object of the program's namespace define a function of this name? */
bool link_list_defines(const char *name);

/* Returns: where the object begins that an address of code belongs to. */
uintptr_t link_list_find_base(const void *address);

/* The path that this library was loaded with; "" when unknown. */
const char *link_list_own_name(void);

/* The name in the form that programs of this system ask for: with the C library's version, or
 * without one. */
struct elf_name link_list_name(const char *text);

enum { LINK_LIST_NAMES_MAX = 96 };

/* Find, for each name, the function that a program would be bound to without this library and all
 * earlier ones.  `count`: at most LINK_LIST_NAMES_MAX. */
void link_list_find_next(const char *const *texts, void **found, unsigned count);

#endif
