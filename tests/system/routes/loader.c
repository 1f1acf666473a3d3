/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loader.h"

#include <dlfcn.h>

/* The tail call is part of the test. */
void *loader_open(const char *name, int mode)
{
    return dlopen(name, mode);
}

void *loader_space(const char *name)
{
    return dlmopen(LM_ID_NEWLM, name, RTLD_NOW);
}

void *loader_next(const char *symbol)
{
    return dlsym(RTLD_NEXT, symbol);
}

void *loader_next_version(const char *symbol, const char *version)
{
    return dlvsym(RTLD_NEXT, symbol, version);
}
