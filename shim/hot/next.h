/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that stand behind ours: the next definitions in the order of
 * the dynamic linker.  Each pointer first leads to a function that finds them
 * all, by reading the objects' symbol tables: dlsym would call calloc.
 */
#ifndef HOT_NEXT_H
#define HOT_NEXT_H

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>
#include <threads.h>

struct next {
#define NEXT(result, name, parameters, arguments) result(*name) parameters;
#include "hot/next.def"
#undef NEXT
};

extern struct next next;

/* Find them now, if that was not done. */
void next_find(void);

#endif
