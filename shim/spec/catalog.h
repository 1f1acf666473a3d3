/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel catalog: the functions that are kernels, the arguments that make their shape, and the
 * FLOPs and bytes of a call of a shape.
 *
 * The language is described in tprof-kernels(5); this is its only reader.  Three programs use it:
 * the generator that makes the wrappers of the built-in catalog, the shim for the files of
 * TPROF_KERNELS, and the analyzer for the catalog in each trace.  So it allocates from the caller's
 * arena, prints nothing, and keeps no state.
 */
#ifndef SPEC_CATALOG_H
#define SPEC_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CATALOG_ARGUMENTS_MAX = 30,
    CATALOG_SHAPE_MAX = 24, /* terms of a shape */
    CATALOG_WORDS_MAX = 7,  /* words in a record: flags share one */
    CATALOG_VARIANTS_MAX = 8,
    CATALOG_LINE_MAX = 2048,
    CATALOG_ERROR_MAX = 200,
    CATALOG_ARENA_SIZE = 64 << 20 /* three times the built-in catalog; unused memory only takes
                                     address space */
};

/* The memory of a catalog, from the caller; never grown. */
struct catalog_arena {
    char *base;
    size_t size;
    size_t used;
};

/* The first mistake of a text.  Lines and columns count from 1. */
struct catalog_error {
    unsigned line;
    unsigned column;
    char text[CATALOG_ERROR_MAX];
};

enum catalog_accuracy {
    CATALOG_UNKNOWN, /* the FLOPs of a call do not follow from its arguments */
    CATALOG_EXACT,   /* the operations of the textbook algorithm */
    CATALOG_NOMINAL, /* an agreed convention, such as 5 N log2 N */
    CATALOG_UPPER    /* the work is at most this */
};

/* The precision of a kernel's arithmetic. */
enum catalog_precision {
#define PRECISION(id, name, bytes, reason) CATALOG_##id,
#include "precisions.def"
#undef PRECISION
    CATALOG_PRECISIONS /* unknown */
};

enum catalog_class { CATALOG_OTHER, CATALOG_MATMUL, CATALOG_ELEMENTWISE, CATALOG_MOVEMENT };

/* How to read the value of an argument from its machine word. */
enum catalog_access {
    CATALOG_NONE, /* no value: a pointer to something else, or a structure */
    CATALOG_INT8,
    CATALOG_UINT8,
    CATALOG_INT16,
    CATALOG_UINT16,
    CATALOG_INT32,
    CATALOG_INT64,
    CATALOG_UINT32,
    CATALOG_UINT64,
    CATALOG_INTEGER, /* 32 or 64 bits, by the symbol */
    CATALOG_LETTER,  /* one character, such as 'L' */
    CATALOG_CBLAS,   /* a CBLAS enumeration, given as its Fortran letter */
    CATALOG_FLOAT,   /* passed in a floating register, as are the next three */
    CATALOG_DOUBLE,
    CATALOG_FLOAT_COMPLEX,
    CATALOG_DOUBLE_COMPLEX
};

/* Represents a value that could not be read, such as an element behind a null pointer, and results
 * computed from it.  No size is this low. */
#define CATALOG_NO_VALUE INT64_MIN

/* Flags share a word: a bit each.  The bit this far above a flag's is set when the flag has no
 * value. */
enum { CATALOG_FLAGS_WITHOUT_VALUE = 32 };

struct catalog_argument {
    const char *name;
    enum catalog_access access;
    bool is_pointer;             /* the value is in the memory that the argument points to */
    unsigned stars;              /* pointers from the argument to its elements */
    enum catalog_access element; /* how to read these */
};

/* One step of a formula in postfix order. */
struct catalog_step {
    unsigned char operation;
    unsigned char operand; /* shape term or argument */
    long double number;    /* a word's value; of an element, the number of pointers to follow */
};

struct catalog_formula {
    const struct catalog_step *steps;
    unsigned count; /* 0: no formula was given */
};

/* A value of the shape: an argument under its name, a formula of arguments, or
 * a flag: whether an argument is not zero. */
struct catalog_term {
    const char *name;
    int argument;   /* -1 when the term is a formula */
    bool is_letter; /* a text of up to 8 characters, the first in the lowest byte */
    bool is_flag;
    bool is_unsigned; /* its word has no sign */
    bool is_hidden;   /* recorded, but not shown */
    bool has_usual;   /* shown only when it is not `usual` */
    int64_t usual;
    struct catalog_formula formula; /* over the arguments */
};

struct catalog_symbol {
    const char *name;
    const char *library; /* glob that the defining library must match, or NULL */
    bool is_wide;        /* its integers have 64 bits */
    bool is_glob;        /* the name represents all symbols that match it */
    uint32_t hash;       /* hash of a name given in a paragraph */
};

struct catalog_check {
    int64_t shape[CATALOG_SHAPE_MAX];
    double flops;
};

struct catalog_kernel {
    const char *name;
    const char *family;  /* its names, or NULL */
    const char *adapter; /* remembers the shape of its objects; or NULL */
    const struct catalog_symbol *symbols;
    unsigned symbol_count;
    const char *library;
    struct catalog_argument *arguments;
    unsigned argument_count;
    bool has_proto;             /* without a prototype, its arguments are unknown */
    bool is_compiled;           /* its wrapper is C code for this prototype */
    bool is_sampled;            /* all its calls are counted and some are timed */
    bool is_request;            /* a call answers a request */
    int request_argument;       /* that tells its requests apart; -1: none */
    enum catalog_access result; /* CATALOG_NONE for void and pointers */
    unsigned hidden;            /* string lengths that follow the arguments */
    struct catalog_term *shape;
    unsigned shape_count;
    struct catalog_formula flops; /* over the shape */
    struct catalog_formula bytes; /* over the shape */
    enum catalog_accuracy accuracy;
    struct catalog_formula precision; /* over the shape; gives an enum catalog_precision */
    enum catalog_class class;
    const struct catalog_check *checks;
    unsigned check_count;
    const char *source;
};

struct catalog_family;

struct catalog {
    struct catalog_kernel *kernels;
    unsigned kernel_count;
    struct catalog_family *families; /* families of all texts read so far */
    unsigned family_count;
    bool refuses_adapters; /* the text is a user's */
    bool refuses_twice;    /* from the kernel `unique_from` on, no two paragraphs may have the same
                              symbol */
    unsigned unique_from;
};

/* Count the words of a shape in a record: one a term, and one for all flags. */
unsigned catalog_count_words(const struct catalog_kernel *kernel);

/* Give the values of the shape's terms from the words of a record. */
void catalog_unpack(const struct catalog_kernel *kernel, const int64_t *words, int64_t *values);

/* Evaluate a formula.
 * Shape: `values` in the order of the kernel's shape.
 * Units: operations or bytes of one call.  Exact while below 2^64 on x86-64
 * (a long double has 64 bits of mantissa there).
 * Returns: NaN when there is no formula, it divides by zero, or a value in it is missing. */
long double catalog_evaluate(const struct catalog_formula *formula, const int64_t *values);

/* Give the precision of calls of this shape.
 * Returns: CATALOG_PRECISIONS when the kernel does not give it. */
enum catalog_precision catalog_find_precision(const struct catalog_kernel *kernel,
                                              const int64_t *values);

/* Does the formula use an argument below 0 that is a term of the shape?  Terms that are formulas
 * may be below 0 on purpose. */
bool catalog_has_negative(const struct catalog_kernel *kernel,
                          const struct catalog_formula *formula, const int64_t *values);

/* The word that holds a text: its first 8 characters. */
int64_t catalog_pack_text(const char *text);

/* Write a shape as "m=64 n=64 k=64" into `text`: texts as side=L, a missing value as k=?, a flag
 * only when it is 0, a term with a usual value only when its value differs, hidden terms never. */
void catalog_format_shape(const struct catalog_kernel *kernel, const int64_t *values, char *text,
                          size_t size);

#endif
