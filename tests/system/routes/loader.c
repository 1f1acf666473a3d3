/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loader.h"

#include <dlfcn.h>

/* The tail call is part of the test. */
void *loader_open(const char *name, int mode)
{
    return dlopen(name, mode);
}

void *loader_next(const char *symbol)
{
    return dlsym(RTLD_NEXT, symbol);
}
