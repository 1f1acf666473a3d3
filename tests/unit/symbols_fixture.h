/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A little library with known contents, which check_symbols must find.
 */
#ifndef UNIT_SYMBOLS_FIXTURE_H
#define UNIT_SYMBOLS_FIXTURE_H

/* Called from places whose lines are known. */
typedef int fixture_visit(void);

struct symbols_fixture {
    int (*local)(int);
    int local_lines[2]; /* its first and its last */
    int (*exported)(int);
    int (*mangled)(int);
    int (*calls)(fixture_visit *visit);
    int call_line;
    int (*inlines)(fixture_visit *visit);
    int inline_lines[3]; /* of the calls, innermost first */
    int (*method)(int);    /* in a table of Python's methods, as "sort" */
    int (*primitive)(int); /* in a table of R's primitives, as "%%" */
    const void *tables[5]; /* these */
    int (*virtual[3])(int); /* of shape::Round, of its base shape::Any, and of a hidden class */
    const char *label;   /* has no size; 64 bytes up to `sized` */
    const char *(*hidden)(void); /* 32 bytes of code at this address */
    const char *sized;   /* 16 bytes, and 48 after it that belong to nothing */
};

/* Everything is in a table, because the address that a program takes of a library's function need
 * not be that of the function's code. */
const struct symbols_fixture *symbols_fixture(void);

const char *find_hidden_code(void);

#endif
