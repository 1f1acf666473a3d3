/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which functions the loader chose for the processor that this is.
 *
 * memcpy has variants, of which the loader takes one when the program starts.  A stripped file
 * names none of them.  Where this process has the same library loaded, its loader tells.
 */
#ifndef SYMBOLS_CHOSEN_FUNCTIONS_H
#define SYMBOLS_CHOSEN_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdwfl.h>

/* A library that this process has loaded, too. */
struct chosen_library {
    uint64_t base;
    void *handle;
};

/* Find the library of a module, by its build-id.  Returns: whether it is loaded here. */
bool chosen_library_open(struct chosen_library *library, Dwfl_Module *module);

void chosen_library_close(struct chosen_library *library);

/* Returns: where the function of that name begins, as was chosen here, `bias` above its address
 * in the file; 0: nowhere. */
uint64_t chosen_library_find(const struct chosen_library *library, const char *name, uint64_t bias);

#endif
