/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A little library with known contents.  It is built with debug information under any flags of the
 * build.
 */
#include "symbols_fixture.h"

#define NOT_INLINED __attribute__((noinline))
#define INLINED inline __attribute__((always_inline))

int exported_function(int number);
int a_weak_name(int number) __attribute__((weak, alias("exported_function")));
int __exported_alias(int number) __attribute__((alias("exported_function")));
int mangled_function(int number) __asm__("_ZN3foo3barEi");

extern const char unsized_label[];
extern const char sized_label[];

/* In a section of its own, so that no unit of C seems to have it. */
__asm__(".pushsection .text.symbols_fixture, \"ax\", %progbits\n"
        ".globl unsized_label\n"
        "unsized_label: .skip 64\n"
        ".globl sized_label\n"
        ".type sized_label, %function\n"
        "sized_label: .skip 16\n"
        ".size sized_label, 16\n"
        ".skip 48\n"
        ".p2align 4\n"
        ".hidden hidden_code\n"
        ".globl hidden_code\n"
        "hidden_code: .skip 32\n"
        ".popsection\n");

extern const char hidden_code[] __attribute__((visibility("hidden")));

enum { LOCAL_FIRST_LINE = __LINE__ + 1 };
static NOT_INLINED int local_function(int number)
{
    volatile int kept = number;

    return kept + 1;
}
enum { LOCAL_LAST_LINE = __LINE__ - 1 };

int exported_function(int number)
{
    volatile int kept = number;

    return kept + 2;
}

int mangled_function(int number)
{
    volatile int kept = number;

    return kept + 3;
}

enum { CALL_LINE = __LINE__ + 3 };
static NOT_INLINED int calling_function(fixture_visit *visit)
{
    return visit() + 1;
}

enum { INNER_LINE = __LINE__ + 3 };
static INLINED int inner_function(fixture_visit *visit)
{
    return visit() + 1;
}

enum { MIDDLE_LINE = __LINE__ + 3 };
static INLINED int middle_function(fixture_visit *visit)
{
    return inner_function(visit) + 1;
}

enum { OUTER_LINE = __LINE__ + 3 };
static NOT_INLINED int outer_function(fixture_visit *visit)
{
    return middle_function(visit) + 1;
}

/* Tables as CPython, R and compilers of C++ have them. */
#define TABLED(name, added)                                                                        \
    static NOT_INLINED int name(int number)                                                        \
    {                                                                                              \
        volatile int kept = number;                                                                \
                                                                                                   \
        return kept + (added);                                                                     \
    }

TABLED(tabled_method, 10)
TABLED(tabled_primitive, 11)
TABLED(tabled_own, 12)
TABLED(tabled_inherited, 13)
TABLED(tabled_hidden, 14)

typedef int fixture_function(int number);

/* A file is taken for one of Python's by the names that it exports or uses. */
int PyInit_fixture(void);

int PyInit_fixture(void)
{
    return 0;
}

static const struct {
    const char *name;
    fixture_function *function;
    int flags;
    const char *help;
} methods[] = {{"sort", tabled_method, 1, "sorts"}, {0, 0, 0, 0}};

static const struct {
    const char *name;
    fixture_function *function;
    int code, eval, arity, kind, precedence;
    unsigned is_right;
} primitives[] = {{"%%", tabled_primitive, 5, 1, 2, 22, 10, 0},
                  {"end", tabled_primitive, 0, 0, 0, 0, 0, 0}};

struct type {
    const void *virtuals;
    const char *name;
    const struct type *base;
};

static const struct type any_type = {methods, "N5shape3AnyE", 0};
static const struct type round_type = {methods, "N5shape5RoundE", &any_type};
static const struct type hidden_type = {methods, "*N5shape12_GLOBAL__N_16HiddenE", &any_type};

struct virtuals {
    long offset;
    const struct type *type;
    fixture_function *functions[2];
};

static const struct virtuals any_virtuals = {0, &any_type, {tabled_inherited, tabled_method}};
static const struct virtuals round_virtuals = {0, &round_type, {tabled_inherited, tabled_own}};
static const struct virtuals hidden_virtuals = {
    0, &hidden_type, {tabled_inherited, tabled_hidden}};

const char *find_hidden_code(void)
{
    return hidden_code;
}

const struct symbols_fixture *symbols_fixture(void)
{
    static const struct symbols_fixture fixture = {
        .local = local_function,
        .local_lines = {LOCAL_FIRST_LINE, LOCAL_LAST_LINE},
        .exported = exported_function,
        .mangled = mangled_function,
        .calls = calling_function,
        .call_line = CALL_LINE,
        .inlines = outer_function,
        .inline_lines = {INNER_LINE, MIDDLE_LINE, OUTER_LINE},
        .method = methods[0].function,
        .primitive = primitives[0].function,
        .virtual = {round_virtuals.functions[1], any_virtuals.functions[0],
                    hidden_virtuals.functions[1]},
        .tables = {methods, primitives, &any_virtuals, &round_virtuals, &hidden_virtuals},
        .label = unsized_label,
        .sized = sized_label,
        .hidden = find_hidden_code,
    };

    return &fixture;
}
