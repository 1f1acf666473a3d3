/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library that opens others.  dlopen and dlsym look at who calls them:
 * RUNPATH, $ORIGIN and RTLD_NEXT are the caller's.
 */
#ifndef ROUTES_LOADER_H
#define ROUTES_LOADER_H

void *loader_open(const char *name, int mode);
void *loader_space(const char *name);
void *loader_next(const char *symbol);
void *loader_next_version(const char *symbol, const char *version);

#endif
