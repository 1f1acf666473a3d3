/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions behind the shim's, and functions that some C libraries lack: the next definitions
 * in the order of the dynamic linker.  Each pointer first leads to a function that finds all of
 * them by reading the objects' symbol tables, because dlsym would call calloc.  Pointers of
 * NEXT_IF_ANY are NULL until they are found.
 */
#ifndef PLATFORM_NEXT_H
#define PLATFORM_NEXT_H

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/types.h>
#include <threads.h>

/* The answer of glibc 2.35 and later for the object at an address; the glibc at build time may be
 * older.  Source: struct dl_find_object of <dlfcn.h>. */
struct found_object {
    unsigned long long flags;
    void *start;
    void *end;
    struct link_map *map;
    void *eh_frame; /* its header; NULL when there is none */
    unsigned long long reserved[8];
};

struct next {
#define NEXT(result, name, parameters, arguments) result(*name) parameters;
#include "platform/next.def"
#undef NEXT
};

extern struct next next;

#endif
