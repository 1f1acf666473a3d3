/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that is linked statically loads no library: one built for another C library would run
 * in it and crash.  These take the place of libc's.  So libdw asks no debuginfod, and tprof
 * calibrate measures without a BLAS and says so.
 */
#include <dlfcn.h>
#include <stddef.h>

void *dlopen(const char *file, int mode)
{
    (void)file;
    (void)mode;
    return NULL;
}

void *dlsym(void *restrict library, const char *restrict name)
{
    (void)library;
    (void)name;
    return NULL;
}

int dlclose(void *library)
{
    (void)library;
    return 0;
}

char *dlerror(void)
{
    static char text[] = "this program is linked statically and loads no library";

    return text;
}
