/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of known libraries that the shim stands before, by name: of devices and of TLS.
 *
 * A library has a row for each function.  hook/ points slots that lead to the real function to the
 * row's wrapper, and dlsym gives it, too.  When the first function of a library is found, all rows
 * learn their real functions from the same object, so an adapter can call those that the program
 * does not.  A library with a sign is known when it is loaded.  A second object with functions of
 * the same names is left alone and counted: a wrapper has one real function.
 */
#ifndef CALL_LIBRARY_H
#define CALL_LIBRARY_H

#include <stdbool.h>

struct library_entry {
    const char *name;
    void *wrapper; /* NULL: only the adapter calls it */
    void **real;   /* NULL in a library that lacks it */
};

struct library {
    const char *title;
    const char *sign; /* a function that tells the library among all objects, also if no slot leads
                         to it; NULL: it is known by its slots alone */
    const struct library_entry *entries;
    unsigned count;
    bool (*init)(void);  /* before it is bound; false: it cannot be.  May be NULL */
    void (*bound)(void); /* its real functions are known; may be NULL.  Under the lock of hook.c */
};

extern const struct library *const libraries_known[];
extern const unsigned library_count;

/* Find a function of an object.  Returns: NULL when it has none of that name. */
typedef void *(*library_finder)(const void *object, const char *name);

enum { LIBRARY_NONE = -1 };

/* Find the number of a name with a wrapper.  Returns: LIBRARY_NONE when there is none. */
int library_find(const char *name);

/* Bind a function to its wrapper, with the object that defines it.  The caller holds the lock of
 * hook.c.
 * Returns: the wrapper; NULL when there is none for this function. */
void *library_bind(int entry, const void *target, const void *object, library_finder find);

/* Look whether a new object is a library with a sign, and learn its functions.  The caller holds
 * the lock of hook.c. */
void library_look(const void *object, library_finder find);

/* Is this the wrapper of an entry? */
bool library_owns(const void *address);

/* A row of fact_writers: how many functions of further objects were left alone. */
bool library_write_left_alone(unsigned *written);

#endif
