/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A little library whose contents are all known: check_symbols must find them.
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
    const char *(*hidden)(void); /* 32 bytes of code whose address this takes */
    const char *sized;   /* 16 bytes, and 48 behind it that belong to nothing */
};

/* Everything stands in a table, as the address of a function of a library that
 * a program takes itself need not be where its code is. */
const struct symbols_fixture *symbols_fixture(void);

const char *find_hidden_code(void);

#endif
