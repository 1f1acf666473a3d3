/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calculator: FLOPs, parameters and bytes of an operation from only its sizes, without a trace.
 *
 * An operation is made of parts.  A part is a product or a pass over elements.  Each is counted
 * once, so the parts sum to the operation; groups of parts are sums and have no counters of their
 * own.  FLOPs of products (one multiply-add is two) and of elementwise passes are counted
 * separately, as the frameworks' model FLOPs are those of products alone.
 *
 * Everything here is a pure function of its arguments.  Numbers are long
 * double: whole and exact up to 2^64 on x86-64, rounded beyond, never wrapped.
 *
 * Source: of the counts, the operations' own files.
 */
#ifndef CALC_CALC_H
#define CALC_CALC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/say.h"
#include "base/status.h"
#include "base/text_list.h"
#include "document/document.h"

enum { CALC_NUMBERS_MAX = 256, CALC_OPTIONS_MAX = 20 };

/* The kind of an option's value. */
enum calc_kind {
    CALC_WHOLE, /* a whole number */
    CALC_PAIR,  /* two numbers, "3x5"; one number stands for both */
    CALC_LIST,  /* several of them, "784,512,10" */
    CALC_FLAG,  /* nothing */
    CALC_TYPE   /* the type of an element, "f32"; its number is the size in bytes */
};

enum calc_need {
    CALC_NEEDED,
    CALC_OPTIONAL /* absent unless the user gives it or it has a standard */
};

struct calc_option {
    struct column column; /* key in JSON; title on the command line */
    enum calc_kind kind;
    enum calc_need need;
    const char *standard; /* value when it is not given, or NULL */
    double least;
    double most; /* 0: CALC_MOST */
};

#define CALC_MOST 1e12 /* keeps a product of many sizes finite */

struct calc_value {
    bool is_set;
    const char *text; /* the typed text; NULL for a flag */
    size_t count;
    long double numbers[CALC_NUMBERS_MAX];
};

/* A part that is counted once, and the sum over its repetitions. */
struct calc_part {
    const char *group; /* "attention" */
    const char *name;  /* "scores" */
    long double flops; /* FLOPs of products */
    long double elementwise_flops;
    long double parameters;
    long double bytes; /* compulsory: every operand once */
    bool is_quadratic; /* its FLOPs grow with the square of the sequence */
};

struct calc_result {
    struct array parts; /* of struct calc_part, in the order of computation */
    long double items;  /* items of one run; 0: it has none */
    long double tokens; /* 0: the operation has no tokens */
    /* FLOPs of products without the operands that are known to be masked or padding; NAN if there
     * are none. */
    long double needed_flops;
    const struct said *needed_words; /* a sentence with these FLOPs and the saved share */
    long double sequence;    /* the length that is_quadratic refers to; 0: none */
    struct text_list notes;
};

struct calc_operation {
    const char *name;
    const char *help;
    const struct calc_option *options;
    size_t option_count;
    /* Count.  Shape: `values` in the order of `options`.
     * Errors: STATUS_USAGE, values that do not fit each other. */
    enum status (*count)(const struct calc_value *values, struct calc_result *result,
                         struct diagnostic *diagnostic);
};

#define OPERATION(name) extern const struct calc_operation calc_##name;
#include "calc/operations.def"
#undef OPERATION

/* Give the operations one by one.  Returns: NULL past the last. */
const struct calc_operation *calc_at(size_t index);

/* Returns: the operation of this name, or NULL. */
const struct calc_operation *calc_find(const char *name);

/* Find an option by its name, without the dashes.
 * Returns: its index, or the number of options. */
size_t calc_find_option(const struct calc_operation *operation, const char *name, size_t length);

/* Read one value; a flag's text is NULL.
 * Errors: STATUS_USAGE with a diagnostic. */
enum status calc_read_value(const struct calc_operation *operation, size_t index, const char *text,
                            struct calc_value *values, struct diagnostic *diagnostic) MUST_CHECK;

/* Set missing values to their defaults.
 * Errors: STATUS_USAGE when something needed is missing. */
enum status calc_complete(const struct calc_operation *operation, struct calc_value *values,
                          struct diagnostic *diagnostic) MUST_CHECK;

/* Count into a result that was not initialized.
 * Errors: those of struct calc_operation; finish the result even then. */
enum status calc_count(const struct calc_operation *operation, const struct calc_value *values,
                       struct calc_result *result, struct diagnostic *diagnostic) MUST_CHECK;
void calc_result_fini(struct calc_result *result);

/* Sum the parts; of the sum, only the numbers mean something. */
struct calc_part calc_sum(const struct calc_result *result);

/* Sum the FLOPs of the parts that grow with the square of the sequence. */
long double calc_quadratic_flops(const struct calc_result *result);

/* Build the report: totals, groups, parts and sentences. */
void calc_build(const struct calc_operation *operation, const struct calc_value *values,
                const struct calc_result *result, struct document *document);

#endif
