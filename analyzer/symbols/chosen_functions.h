/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that the loader chose for this processor.
 *
 * memcpy has variants, and the loader chooses one when the program starts.  A stripped file names
 * no variant.  If this process has loaded the same library, its loader knows the choice.
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

/* Returns: the start of the function with that name, as chosen here, `bias` above its address in
 * the file; 0: not found. */
uint64_t chosen_library_find(const struct chosen_library *library, const char *name, uint64_t bias);

#endif
