/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalog language: accepted input, computed values, and refusals.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/catalog.h"
#include "spec/catalog_later.h"
#include "spec/catalog_read.h"
#include "suite.h"

enum { MEMORY_SIZE = 1 << 20 };

static struct catalog_arena arena;
static struct catalog catalog;
static struct catalog_error error;

static bool read_as(const char *text, bool is_users)
{
    memset(&catalog, 0, sizeof catalog);
    catalog.refuses_adapters = catalog.refuses_twice = is_users;
    arena.used = 0;
    return catalog_read(&catalog, &arena, text, strlen(text), &error);
}

static bool read(const char *text)
{
    return read_as(text, false);
}

static void setup(void)
{
    arena = (struct catalog_arena){malloc(MEMORY_SIZE), MEMORY_SIZE, 0};
    ck_assert_ptr_nonnull(arena.base);
}

static void teardown(void)
{
    free(arena.base);
}

/* ---- formulas ---------------------------------------------------------- */

struct formula_case {
    const char *formula;
    double result; /* with m=3 n=5 k=7 */
};

static const struct formula_case formula_cases[] = {
    {"2*m*n*k", 210},
    {"m+n*k", 38},
    {"(m+n)*k", 56},
    {"k-n-m", -1},
    {"k/n", 1.4},
    {"-m+n", 2},
    {"m < n ? 1 : 2", 1},
    {"m >= n ? 1 : m == 3 ? 20 : 30", 20},
    {"min(m, n) + max(n, k)", 10},
    {"log2(8)", 3},
    {"m != 3 ? 1 : 0", 0},
    {"2.5*n", 12.5},
};

START_TEST(a_formula_has_the_usual_precedence)
{
    const struct formula_case *c = &formula_cases[_i];
    const int64_t shape[] = {3, 5, 7};
    char text[256];

    snprintf(text, sizeof text,
             "kernel f\n  proto void f(int m, int n, int k)\n  shape m n k\n  flops %s exact\n",
             c->formula);
    ck_assert_msg(read(text), "%s: %s", c->formula, error.text);
    ck_assert_double_eq_tol((double)catalog_evaluate(&catalog.kernels[0].flops, shape), c->result,
                            1e-12);
}
END_TEST

START_TEST(a_product_beyond_53_bits_is_exact)
{
    const int64_t shape[] = {2097151, 2097153, 1048577};
    unsigned long long expected = 2097151ull * 2097153ull * 1048577ull;

    ck_assert(read(
        "kernel f\n  proto void f(int m, int n, int k)\n  shape m n k\n  flops m*n*k exact\n"));
    ck_assert(catalog_evaluate(&catalog.kernels[0].flops, shape) == (long double)expected);
}
END_TEST

START_TEST(a_division_by_zero_is_unknown)
{
    const int64_t shape[] = {0};

    ck_assert(read("kernel f\n  proto void f(int m)\n  shape m\n  flops 1/m exact\n"));
    ck_assert(isnan(catalog_evaluate(&catalog.kernels[0].flops, shape)));
}
END_TEST

START_TEST(an_unknown_may_be_none)
{
    const int64_t query[] = {0}, work[] = {1};

    ck_assert(read("kernel f\n  proto void f(int m)\n  shape w?=m != -1\n"
                   "  flops unknown if w\n  check w=0 = 0\n"));
    ck_assert_int_eq(catalog.kernels[0].accuracy, CATALOG_UNKNOWN);
    ck_assert(catalog_evaluate(&catalog.kernels[0].flops, query) == 0);
    ck_assert(isnan(catalog_evaluate(&catalog.kernels[0].flops, work)));
    ck_assert(!read("kernel f\n  proto void f(int m)\n  shape m\n  flops unknown exact\n"));
}
END_TEST

/* Two sizes of -5 that a function refuses give a positive product. */
START_TEST(a_negative_argument_is_told_where_a_formula_uses_it)
{
    const int64_t shape[] = {-5, -5, 3, -1};
    const struct catalog_kernel *kernel;

    ck_assert(read("kernel f\n  proto void f(int m, int n, int k, int s)\n  shape m n k t=s\n"
                   "  flops m*n*k exact\n  bytes k*t\n"));
    kernel = &catalog.kernels[0];
    ck_assert(catalog_has_negative(kernel, &kernel->flops, shape));
    ck_assert_msg(!catalog_has_negative(kernel, &kernel->bytes, shape), "a formula's own");
}
END_TEST

struct unread_case {
    const char *formula;
    double result; /* with m=3, an unreadable n and k=-5; NAN: none */
};

static const struct unread_case unread_cases[] = {
    {"2*m*n", NAN},         {"0*n", NAN},       {"-n", NAN},
    {"n == 7", NAN},        {"n != 7", NAN},    {"n < m", NAN},
    {"min(m, n)", NAN},     {"max(n, m)", NAN}, {"n ? 1 : 2", NAN},
    {"n > 0 ? m : 0", NAN}, {"m ? n : 2", NAN}, {"m ? 2*m : n", 6},
    {"m == 3 ? m : n", 3},  {"2*m", 6},
};

START_TEST(what_could_not_be_read_has_no_value)
{
    const struct unread_case *c = &unread_cases[_i];
    const int64_t shape[] = {3, CATALOG_NO_VALUE, -5};
    const struct catalog_kernel *kernel = &catalog.kernels[0];
    char text[256];
    double result;

    snprintf(text, sizeof text,
             "kernel f\n  proto void f(int m, size_t n, int k)\n  shape m n k\n  flops %s exact\n",
             c->formula);
    ck_assert_msg(read(text), "%s: %s", c->formula, error.text);
    kernel = &catalog.kernels[0];
    result = (double)catalog_evaluate(&kernel->flops, shape);
    ck_assert_msg(isnan(c->result) ? isnan(result) : result == c->result, "%s: %g", c->formula,
                  result);
    ck_assert_msg(!catalog_has_negative(kernel, &kernel->flops, shape), "%s", c->formula);
}
END_TEST

START_TEST(what_could_not_be_read_is_shown_as_a_question_mark)
{
    const int64_t words[] = {3, CATALOG_NO_VALUE,
                             1 | (int64_t)1 << (CATALOG_FLAGS_WITHOUT_VALUE + 1)};
    int64_t shape[CATALOG_SHAPE_MAX];
    char text[64];

    ck_assert(read("kernel f\n  proto void f(int m, const int *a, char t)\n"
                   "  shape m first?=m k=a[m] second?=a[0] third?=a[1]\n"));
    catalog_unpack(&catalog.kernels[0], words, shape);
    catalog_format_shape(&catalog.kernels[0], shape, text, sizeof text);
    ck_assert_str_eq(text, "m=3 k=? second=? third=0");
}
END_TEST

START_TEST(a_word_without_a_sign_is_never_below_0)
{
    const int64_t shape[] = {-1};
    char text[64];

    ck_assert(read("kernel f\n  proto void f(size_t n)\n  shape n\n  flops 2*n exact\n"));
    ck_assert(catalog_evaluate(&catalog.kernels[0].flops, shape) == 2 * 18446744073709551615.0L);
    ck_assert(!catalog_has_negative(catalog.kernels, &catalog.kernels[0].flops, shape));
    catalog_format_shape(&catalog.kernels[0], shape, text, sizeof text);
    ck_assert_str_eq(text, "n=18446744073709551615");
}
END_TEST

struct precision_case {
    const char *line;
    int64_t type;
    enum catalog_precision precision;
};

static const struct precision_case precision_cases[] = {
    {"", 2, CATALOG_PRECISIONS},
    {"precision i8", 2, CATALOG_I8},
    {"precision unknown", 2, CATALOG_PRECISIONS},
    {"precision type < 2 ? f32 : type == 30 ? bf16 : i8", 1, CATALOG_F32},
    {"precision type < 2 ? f32 : type == 30 ? bf16 : i8", 30, CATALOG_BF16},
    {"precision type < 2 ? f32 : type == 30 ? bf16 : i8", 2, CATALOG_I8},
    {"precision type < 2 ? f32 : type == 30 ? bf16 : i8", CATALOG_NO_VALUE, CATALOG_PRECISIONS},
    {"precision (type + 1)*2 == 6 ? f64 : unknown", 2, CATALOG_F64},
    {"precision (type + 1)*2 == 6 ? f64 : unknown", 3, CATALOG_PRECISIONS},
    {"precision type ? f32 ? f64 : f16 : i8", 2, CATALOG_F16}, /* f32 is in this shape, and 0 */
};

START_TEST(a_precision_is_said_by_name_or_by_the_shape)
{
    const struct precision_case *c = &precision_cases[_i];
    const int64_t shape[] = {c->type, 0};
    char text[256];

    snprintf(text, sizeof text,
             "kernel f\n  proto void f(int type, int f32)\n  shape type%s\n  %s\n",
             strstr(c->line, "f32 ?") ? " f32" : "", c->line);
    ck_assert_msg(read(text), "%s: %s", c->line, error.text);
    ck_assert_int_eq(catalog_find_precision(&catalog.kernels[0], shape), c->precision);
}
END_TEST

/* ---- paragraphs -------------------------------------------------------- */

START_TEST(groups_make_one_kernel_a_word)
{
    ck_assert_msg(read("kernel {s,d}gemv\n  proto void (int m, {float,double} alpha)\n  shape m\n"
                       "  flops {2,3}*m exact\n"),
                  "%s", error.text);
    ck_assert_uint_eq(catalog.kernel_count, 2);
    ck_assert_str_eq(catalog.kernels[0].name, "sgemv");
    ck_assert_str_eq(catalog.kernels[1].name, "dgemv");
    ck_assert_int_eq(catalog.kernels[0].arguments[1].access, CATALOG_FLOAT);
    ck_assert_int_eq(catalog.kernels[1].arguments[1].access, CATALOG_DOUBLE);
}
END_TEST

START_TEST(a_family_makes_one_symbol_a_pattern)
{
    ck_assert(
        read("family f\n  symbols int32 %_ x_%_\n  symbols int64 %_64_ in lib*.so\n"
             "kernel gemm\n  family f\n  proto void (integer m)\n  shape m\n  flops m exact\n"));
    ck_assert_uint_eq(catalog.kernels[0].symbol_count, 3);
    ck_assert_str_eq(catalog.kernels[0].symbols[1].name, "x_gemm_");
    ck_assert(!catalog.kernels[0].symbols[1].is_wide);
    ck_assert_str_eq(catalog.kernels[0].symbols[2].name, "gemm_64_");
    ck_assert(catalog.kernels[0].symbols[2].is_wide);
    ck_assert_str_eq(catalog.kernels[0].symbols[2].library, "lib*.so");
}
END_TEST

START_TEST(a_second_text_may_use_the_families_of_the_first)
{
    const char *more = "kernel b\n  family f\n  proto void (int m)\n";

    ck_assert(read("family f\n  symbols int32 my_%\n"));
    ck_assert(catalog_read(&catalog, &arena, more, strlen(more), &error));
    ck_assert_str_eq(catalog.kernels[0].symbols[0].name, "my_b");
}
END_TEST

START_TEST(a_shape_prints_letters_as_letters)
{
    const int64_t shape[] = {'L', 64};
    char text[64];

    ck_assert(read("kernel f\n  proto void f(const char *side, const int *m)\n  shape side m\n"));
    catalog_format_shape(&catalog.kernels[0], shape, text, sizeof text);
    ck_assert_str_eq(text, "side=L m=64");
}
END_TEST

START_TEST(flags_share_a_word_and_show_only_when_they_are_0)
{
    const int64_t words[] = {7, 9, 2}; /* alpha 0, beta 1 */
    int64_t values[CATALOG_SHAPE_MAX];
    char text[64];

    ck_assert_msg(
        read("kernel f\n  proto void f(int m, float alpha, const float_complex *beta, int n)\n"
             "  shape m alpha? (beta?) n\n  flops 2*m*alpha exact\n"
             "  check m=5 n=1 = 10\n  check m=5 n=1 alpha=0 = 0\n"),
        "%s", error.text);
    ck_assert_uint_eq(catalog_count_words(&catalog.kernels[0]), 3);
    catalog_unpack(&catalog.kernels[0], words, values);
    catalog_format_shape(&catalog.kernels[0], values, text, sizeof text);
    ck_assert_str_eq(text, "m=7 alpha=0 n=9");
    ck_assert_int_eq(values[2], 1);
    for (unsigned i = 0; i < 2; i++) {
        const struct catalog_check *check = &catalog.kernels[0].checks[i];

        ck_assert(catalog_evaluate(&catalog.kernels[0].flops, check->shape) == check->flops);
    }
}
END_TEST

START_TEST(hidden_terms_are_recorded_and_not_shown)
{
    const int64_t values[] = {3, 4, 5};
    char text[64];

    ck_assert(read("kernel f\n  proto void f(int m, int n, int k)\n  shape m (n) k\n"));
    catalog_format_shape(&catalog.kernels[0], values, text, sizeof text);
    ck_assert_str_eq(text, "m=3 k=5");
    ck_assert_uint_eq(catalog_count_words(&catalog.kernels[0]), 3);
}
END_TEST

static const char remembered[] =
    "kernel conv\n  adapter onednn\n  shape types:text n h:1 pad:-2 (bytes)\n"
    "  flops types == 'bf16:f32' ? 2*n*h : n*h exact\n  bytes bytes\n"
    "  check n=4 = 4\n  check types='bf16:f32' n=4 h=3 = 24\n";

START_TEST(a_kernel_that_an_adapter_remembers_has_no_symbol)
{
    const int64_t values[] = {catalog_pack_text("bf16:f32"), 4, 1, -2, 100};
    const int64_t others[] = {catalog_pack_text("f32"), 4, 3, 0, 100};
    char text[64];

    ck_assert_msg(read(remembered), "%s", error.text);
    ck_assert_str_eq(catalog.kernels[0].adapter, "onednn");
    ck_assert_uint_eq(catalog.kernels[0].symbol_count, 0);
    catalog_format_shape(&catalog.kernels[0], values, text, sizeof text);
    ck_assert_str_eq(text, "types=bf16:f32 n=4");
    catalog_format_shape(&catalog.kernels[0], others, text, sizeof text);
    ck_assert_str_eq(text, "types=f32 n=4 h=3 pad=0");
    for (unsigned i = 0; i < 2; i++) {
        const struct catalog_check *check = &catalog.kernels[0].checks[i];

        ck_assert(catalog_evaluate(&catalog.kernels[0].flops, check->shape) == check->flops);
    }
}
END_TEST

START_TEST(a_text_of_a_shape_shows_printing_characters_only)
{
    const int64_t values[] = {0x1bff410a, 4, 1, -2, 0};
    char text[64], small[8];

    ck_assert(read(remembered));
    catalog_format_shape(&catalog.kernels[0], values, text, sizeof text);
    ck_assert_str_eq(text, "types=?A?? n=4");
    catalog_format_shape(&catalog.kernels[0], values, small, sizeof small);
    ck_assert_str_eq(small, "types=?");
}
END_TEST

START_TEST(a_symbol_with_a_wildcard_is_a_glob_of_its_library)
{
    ck_assert(read("kernel layer\n  symbol layer_* forward\n  library libmodel*.so\n"
                   "kernel step_?\n"));
    ck_assert(catalog.kernels[0].symbols[0].is_glob);
    ck_assert(!catalog.kernels[0].symbols[1].is_glob);
    ck_assert_str_eq(catalog.kernels[0].symbols[1].library, "libmodel*.so");
    ck_assert(catalog.kernels[1].symbols[0].is_glob);
    ck_assert(!catalog.kernels[1].has_proto);
}
END_TEST

/* ---- prototypes -------------------------------------------------------- */

static const struct {
    const char *text;
    enum catalog_access access;
    bool is_pointer;
} arguments[] = {
    {"unsigned int n", CATALOG_UINT32, false},
    {"unsigned n", CATALOG_UINT32, false},
    {"long long n", CATALOG_INT64, false},
    {"unsigned long long int n", CATALOG_UINT64, false},
    {"unsigned long n", CATALOG_UINT64, false},
    {"long int n", CATALOG_INT64, false},
    {"const short n", CATALOG_INT16, false},
    {"unsigned char n", CATALOG_UINT8, false},
    {"bool n", CATALOG_UINT8, false},
    {"uint8_t n", CATALOG_UINT8, false},
    {"int8_t n", CATALOG_INT8, false},
    {"enum e n", CATALOG_INT32, false},
    {"int *restrict n", CATALOG_INT32, true},
    {"int const *n", CATALOG_INT32, true},
    {"const char *const *n", CATALOG_NONE, true},
    {"struct s *n", CATALOG_NONE, true},
    {"int n[]", CATALOG_INT32, true},
    {"int *n[4]", CATALOG_NONE, true},
    {"float complex n", CATALOG_FLOAT_COMPLEX, false},
    {"long double *n", CATALOG_NONE, true},
    {"int (*n)(int (*)(void), const void *)", CATALOG_NONE, true},
};

START_TEST(an_argument_is_written_as_in_c)
{
    const struct catalog_argument *argument;
    char text[160];

    snprintf(text, sizeof text, "kernel f\n  proto void f(%s, int last)\n", arguments[_i].text);
    ck_assert_msg(read(text), "%s: %s", text, error.text);
    argument = &catalog.kernels[0].arguments[0];
    ck_assert_uint_eq(catalog.kernels[0].argument_count, 2);
    ck_assert_str_eq(argument->name, "n");
    ck_assert_msg(argument->access == arguments[_i].access, "%s: %d", text, argument->access);
    ck_assert_msg(argument->is_pointer == arguments[_i].is_pointer, "%s", text);
}
END_TEST

START_TEST(an_element_of_pointers_may_be_followed)
{
    static const char text[] = "kernel f\n  proto void (const int **x, struct s *y[])\n"
                               "  shape a=x[19][4] b=x[2] c=y[1] d=x[x[1][0]][2]\n";

    ck_assert_msg(read(text), "%s", error.text);
    ck_assert_uint_eq(catalog.kernels[0].shape_count, 4);
}
END_TEST

/* ---- mistakes ---------------------------------------------------------- */

struct mistake {
    const char *text;
    unsigned line;
    unsigned column;
    const char *says;
};

static const struct mistake users_mistakes[] = {
    {"kernel f\n  proto void (int m)\n\nkernel g\n  symbol h f\n", 4, 1,
     "'f' has a paragraph before this"},
    {"kernel f\n  adapter onednn\n", 2, 10, "adapters are of the built-in catalog alone"},
    {"kernel [a\n  class other\n", 2, 14, "expected ']' after '['"},
};

/* These are valid in the built-in catalog but not in a user's file. */
START_TEST(a_users_mistake_is_told_by_line_and_column)
{
    const struct mistake *mistake = &users_mistakes[_i];

    ck_assert_msg(!read_as(mistake->text, true), "%s", mistake->text);
    ck_assert_str_eq(error.text, mistake->says);
    ck_assert_uint_eq(error.line, mistake->line);
    ck_assert_uint_eq(error.column, mistake->column);
}
END_TEST

START_TEST(a_symbol_of_another_library_may_have_a_paragraph_of_its_own)
{
    ck_assert_msg(read_as("kernel f\n\nkernel f\n  library libf.so\n", true), "%s", error.text);
}
END_TEST

static const struct mistake mistakes[] = {
    {"hello\n", 1, 1, "expected 'family' or 'kernel' in the first column"},
    {"kernel\n", 1, 7, "expected the kernel's name"},
    {"kernel f\n  colour red\n", 2, 3,
     "expected family, symbol, library, proto, hidden, shape, flops, bytes, precision, class, "
     "timing, request, check "
     "or "
     "source"},
    {"kernel f\n  proto void f(int m\n", 2, 21, "expected ',' or ')'"},
    {"kernel f\n  proto void f(wibble m)\n", 2, 16,
     "the type 'wibble' is not known; a pointer to it would be"},
    {"kernel f\n  proto void f(int m, int m)\n", 2, 27, "there is an argument 'm' before this"},
    {"kernel f\n  proto void f(long double m)\n", 2, 21,
     "the type 'double' is not known; a pointer to it would be"},
    {"kernel f\n  proto struct big f(int m)\n", 2, 16,
     "the size of the result is not known; write void for up to 16 bytes, for more void and on "
     "x86-64 a first argument void *result"},
    {"kernel f\n  proto void f(int m)\n  shape q\n", 3, 9, "'q' is no argument of the proto above"},
    {"kernel f\n  proto void f(float m)\n  shape m\n", 3, 9, "'m' is not an integer"},
    {"kernel f\n  proto void f(int m)\n  shape m\n  flops 2*x exact\n", 4, 11,
     "'x' is neither in the shape nor a function"},
    {"kernel f\n  proto void f(int m)\n  shape m\n  flops 2*m\n", 4, 12,
     "expected exact, nominal or upper after the formula"},
    {"kernel f\n  proto void f(int m)\n  shape m\n  flops (2*m exact\n", 4, 14, "expected ')'"},
    {"kernel {a,b}\n  proto void (int {m,n,k})\n", 2, 19,
     "this group has 3 words, the others of its paragraph have 2"},
    {"kernel {a,b\n", 1, 8, "expected '}' after '{'"},
    {"kernel f\n  family blas\n", 2, 10, "there is no family 'blas' above"},
    {"kernel f\n  class fast\n", 2, 9, "expected matmul, elementwise, movement or other"},
    {"family f\n  symbols int16 %\n", 2, 11, "expected int32 or int64"},
    {"family f\n  symbols int32 gemm\n", 2, 17,
     "expected a pattern with '%' for the kernel's name"},
    {"kernel f\n  proto void f(int m)\n  shape m\n  flops m exact\n  check n=2 = 2\n", 5, 9,
     "'n' is not in the shape"},
    {"kernel f\n  proto void f(int m, void *x)\n  shape m x?\n", 3, 11,
     "'x' points to nothing that could be zero"},
    {"kernel f\n  proto void f(int m, int n)\n  shape m (n\n", 3, 13, "expected ')'"},
    {"kernel f\n  proto void f(int m)\n  shape a=m[0]\n", 3, 15, "'m' is no array of integers"},
    {"kernel f\n  proto void f(const int *const *m)\n  shape a=m[0][1][2]\n", 3, 21,
     "what 'm' leads to there is no array of integers"},
    {"kernel f\n  proto void f(const float *m[])\n  shape a=m[0][1]\n", 3, 18,
     "what 'm' leads to there is no array of integers"},
    {"kernel f\n  proto void f(int m, float x)\n  shape a=m+x\n", 3, 14, "'x' is not an integer"},
    {"kernel f\n  proto void f(int m)\n  shape a=m*0.5\n", 3, 16,
     "a number in a shape is whole and fits 32 bits, a text has four letters at most"},
    {"kernel f\n  proto void f(int m)\n  shape a=m*3000000000\n", 3, 23,
     "a number in a shape is whole and fits 32 bits, a text has four letters at most"},
    {"kernel f\n  proto void f(int m)\n  shape a=m=='hello'\n", 3, 21,
     "a number in a shape is whole and fits 32 bits, a text has four letters at most"},
    {"kernel f\n  proto void f(int m)\n  shape a=log2(m)\n", 3, 18, "log2 has no place in a shape"},
    {"kernel f\n  proto void f(int a, int b, int c, int d, int e, int f, int g, int h)\n"
     "  shape a b c d e f g h\n",
     3, 24, "a shape has at most 7 values, of which all flags are one"},
    {"kernel f\n  adapter a\n  shape n:word\n", 3, 11, "expected 'text' or a number"},
    {"kernel f\n  adapter a\n  shape n\n  flops n == 'ninecharsx' ? 1 : 2 exact\n", 4, 15,
     "expected 1 to 8 characters and a quote"},
    {"kernel f\n  timing always\n", 2, 10, "expected sampled"},
    {"kernel f\n  symbol\n", 2, 9, "expected a symbol or a glob of symbols"},
};

START_TEST(a_mistake_is_told_by_line_and_column)
{
    const struct mistake *c = &mistakes[_i];

    ck_assert(!read(c->text));
    ck_assert_str_eq(error.text, c->says);
    ck_assert_uint_eq(error.line, c->line);
    ck_assert_uint_eq(error.column, c->column);
}
END_TEST

START_TEST(a_catalog_that_is_cut_anywhere_is_read_or_refused)
{
    static const char text[] =
        "family f\n  symbols int32 %_ x_%\nkernel {s,d}gemm # note\n  family f\n"
        "  proto void (const char *t, const integer *m)\n  hidden 1\n  shape t m\n"
        "  flops (t == 'N' ? 2 : 3)*m exact\n  check t='N' m=4 = 8\n  source none\n";

    for (size_t size = 0; size <= strlen(text); size++) {
        memset(&catalog, 0, sizeof catalog);
        arena.used = 0;
        if (!catalog_read(&catalog, &arena, text, size, &error))
            ck_assert_str_ne(error.text, "");
    }
}
END_TEST

START_TEST(a_full_arena_is_a_mistake_and_no_crash)
{
    static const char text[] = "kernel f\n  proto void f(int m)\n  shape m\n  flops 2*m exact\n";

    for (size_t size = 0; size < 64000; size += 997) {
        struct catalog_arena small = {arena.base, size, 0};

        memset(&catalog, 0, sizeof catalog);
        catalog_read(&catalog, &small, text, strlen(text), &error);
        ck_assert_uint_le(small.used, size);
    }
}
END_TEST

/* ---- kernels that are read later ---------------------------------------- */

/* Returns: the text of the built-in catalog; the caller frees it. */
static char *read_built_in(size_t *size)
{
    const char *srcdir = getenv("srcdir");
    char path[4096];
    char *text = malloc(CATALOG_ARENA_SIZE);
    FILE *file;

    snprintf(path, sizeof path, "%s/shim/spec/kernels.spec", srcdir ? srcdir : ".");
    file = fopen(path, "r");
    ck_assert_msg(file && text, "cannot read %s", path);
    *size = fread(text, 1, CATALOG_ARENA_SIZE, file);
    fclose(file);
    return text;
}

static void compare_text(const char *left, const char *right)
{
    ck_assert_int_eq(!left, !right);
    if (left)
        ck_assert_str_eq(left, right);
}

static void compare_formula(const struct catalog_formula *left, const struct catalog_formula *right)
{
    ck_assert_uint_eq(left->count, right->count);
    for (unsigned i = 0; i < left->count; i++) {
        ck_assert_uint_eq(left->steps[i].operation, right->steps[i].operation);
        ck_assert_uint_eq(left->steps[i].operand, right->steps[i].operand);
        ck_assert(left->steps[i].number == right->steps[i].number ||
                  (isnan(left->steps[i].number) && isnan(right->steps[i].number)));
    }
}

static void compare_symbols(const struct catalog_kernel *left, const struct catalog_kernel *right)
{
    ck_assert_uint_eq(left->symbol_count, right->symbol_count);
    for (unsigned i = 0; i < left->symbol_count; i++) {
        compare_text(left->symbols[i].name, right->symbols[i].name);
        compare_text(left->symbols[i].library, right->symbols[i].library);
        ck_assert_int_eq(left->symbols[i].is_wide, right->symbols[i].is_wide);
        ck_assert_int_eq(left->symbols[i].is_glob, right->symbols[i].is_glob);
        ck_assert_uint_eq(left->symbols[i].hash, right->symbols[i].hash);
    }
}

static void compare_arguments(const struct catalog_kernel *left, const struct catalog_kernel *right)
{
    ck_assert_uint_eq(left->argument_count, right->argument_count);
    for (unsigned i = 0; i < left->argument_count; i++) {
        compare_text(left->arguments[i].name, right->arguments[i].name);
        ck_assert_int_eq(left->arguments[i].access, right->arguments[i].access);
        ck_assert_int_eq(left->arguments[i].is_pointer, right->arguments[i].is_pointer);
        ck_assert_uint_eq(left->arguments[i].stars, right->arguments[i].stars);
        ck_assert_int_eq(left->arguments[i].element, right->arguments[i].element);
    }
}

static void compare_shape(const struct catalog_kernel *left, const struct catalog_kernel *right)
{
    ck_assert_uint_eq(left->shape_count, right->shape_count);
    for (unsigned i = 0; i < left->shape_count; i++) {
        const struct catalog_term *one = &left->shape[i], *other = &right->shape[i];

        compare_text(one->name, other->name);
        ck_assert_int_eq(one->argument, other->argument);
        ck_assert_int_eq(one->is_letter, other->is_letter);
        ck_assert_int_eq(one->is_flag, other->is_flag);
        ck_assert_int_eq(one->is_unsigned, other->is_unsigned);
        ck_assert_int_eq(one->is_hidden, other->is_hidden);
        ck_assert_int_eq(one->has_usual, other->has_usual);
        ck_assert_int_eq(one->usual, other->usual);
        compare_formula(&one->formula, &other->formula);
    }
}

static void compare_checks(const struct catalog_kernel *left, const struct catalog_kernel *right)
{
    ck_assert_uint_eq(left->check_count, right->check_count);
    for (unsigned i = 0; i < left->check_count; i++) {
        ck_assert_mem_eq(left->checks[i].shape, right->checks[i].shape,
                         sizeof left->checks[i].shape);
        ck_assert(left->checks[i].flops == right->checks[i].flops);
    }
}

static void compare_same(const struct catalog_kernel *left, const struct catalog_kernel *right)
{
    compare_text(left->name, right->name);
    compare_text(left->family, right->family);
    compare_text(left->adapter, right->adapter);
    compare_text(left->library, right->library);
    compare_text(left->source, right->source);
    ck_assert_int_eq(left->has_proto, right->has_proto);
    ck_assert_int_eq(left->is_compiled, right->is_compiled);
    ck_assert_int_eq(left->is_sampled, right->is_sampled);
    ck_assert_int_eq(left->result, right->result);
    ck_assert_uint_eq(left->hidden, right->hidden);
    ck_assert_int_eq(left->accuracy, right->accuracy);
    ck_assert_int_eq(left->class, right->class);
    compare_formula(&left->flops, &right->flops);
    compare_formula(&left->bytes, &right->bytes);
    compare_formula(&left->precision, &right->precision);
    compare_symbols(left, right);
    compare_arguments(left, right);
    compare_shape(left, right);
    compare_checks(left, right);
}

/* In an order of their own: 7919 is prime, so it meets each. */
START_TEST(each_built_in_kernel_is_the_same_when_it_is_read_later)
{
    struct catalog_arena whole = {malloc(CATALOG_ARENA_SIZE), CATALOG_ARENA_SIZE, 0};
    struct catalog_arena parts = {malloc(CATALOG_ARENA_SIZE), CATALOG_ARENA_SIZE, 0};
    struct catalog_later later;
    size_t size;
    char *text = read_built_in(&size);

    memset(&catalog, 0, sizeof catalog);
    ck_assert(catalog_read(&catalog, &whole, text, size, &error));
    ck_assert_msg(catalog_later_open(&later, &parts, text, size), "%s", later.error.text);
    ck_assert_uint_eq(later.catalog.kernel_count, catalog.kernel_count);
    ck_assert_uint_ne(catalog.kernel_count % 7919, 0);
    for (unsigned i = 0; i < catalog.kernel_count; i++) {
        unsigned index = (unsigned)((uint64_t)i * 7919 % catalog.kernel_count);

        ck_assert_ptr_null(later.catalog.kernels[index].name);
        const struct catalog_kernel *kernel = catalog_later_get(&later, index);
        ck_assert_ptr_eq(kernel, &later.catalog.kernels[index]);
        compare_same(kernel, &catalog.kernels[index]);
        ck_assert_ptr_eq(catalog_later_get(&later, index), kernel);
    }
    free(text);
    free(parts.base);
    free(whole.base);
}
END_TEST

/* Comments may have what looks like a group, and a word may be empty. */
START_TEST(a_paragraph_has_as_many_kernels_as_its_groups_have_words)
{
    static const char text[] = "# {a,b}\n"
                               "kernel one # {a,b,c}\n"
                               "  # {a,b,c}\n"
                               "\n"
                               "  proto void f(int m)\n"
                               "kernel t{wo,wice}\n"
                               "# {a,b,c}\n"
                               "  proto void f({int,float} m)\n"
                               "\n"
                               "kernel x{,_y,_z}\n"
                               "  proto void f(int m)\n"
                               "# the end";
    static const char *const names[] = {"one", "two", "twice", "x", "x_y", "x_z"};
    struct catalog_later later;

    ck_assert(catalog_later_open(&later, &arena, text, sizeof text - 1));
    ck_assert_uint_eq(later.catalog.kernel_count, sizeof names / sizeof *names);
    for (unsigned i = later.catalog.kernel_count; i-- > 0;)
        ck_assert_str_eq(catalog_later_get(&later, i)->name, names[i]);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("catalog");
    TCase *tests = tcase_create("catalog");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, a_formula_has_the_usual_precedence, 0,
                        sizeof formula_cases / sizeof *formula_cases);
    tcase_add_test(tests, a_product_beyond_53_bits_is_exact);
    tcase_add_test(tests, a_division_by_zero_is_unknown);
    tcase_add_test(tests, an_unknown_may_be_none);
    tcase_add_test(tests, a_negative_argument_is_told_where_a_formula_uses_it);
    tcase_add_loop_test(tests, what_could_not_be_read_has_no_value, 0,
                        sizeof unread_cases / sizeof *unread_cases);
    tcase_add_test(tests, what_could_not_be_read_is_shown_as_a_question_mark);
    tcase_add_loop_test(tests, a_precision_is_said_by_name_or_by_the_shape, 0,
                        sizeof precision_cases / sizeof *precision_cases);
    tcase_add_test(tests, a_word_without_a_sign_is_never_below_0);
    tcase_add_test(tests, groups_make_one_kernel_a_word);
    tcase_add_test(tests, a_family_makes_one_symbol_a_pattern);
    tcase_add_test(tests, a_second_text_may_use_the_families_of_the_first);
    tcase_add_test(tests, a_shape_prints_letters_as_letters);
    tcase_add_test(tests, flags_share_a_word_and_show_only_when_they_are_0);
    tcase_add_test(tests, hidden_terms_are_recorded_and_not_shown);
    tcase_add_test(tests, a_kernel_that_an_adapter_remembers_has_no_symbol);
    tcase_add_test(tests, a_text_of_a_shape_shows_printing_characters_only);
    tcase_add_test(tests, a_symbol_with_a_wildcard_is_a_glob_of_its_library);
    tcase_add_test(tests, a_symbol_of_another_library_may_have_a_paragraph_of_its_own);
    tcase_add_loop_test(tests, a_users_mistake_is_told_by_line_and_column, 0,
                        sizeof users_mistakes / sizeof *users_mistakes);
    tcase_add_test(tests, an_element_of_pointers_may_be_followed);
    tcase_add_loop_test(tests, an_argument_is_written_as_in_c, 0,
                        sizeof arguments / sizeof *arguments);
    tcase_add_loop_test(tests, a_mistake_is_told_by_line_and_column, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(tests, a_catalog_that_is_cut_anywhere_is_read_or_refused);
    tcase_add_test(tests, a_full_arena_is_a_mistake_and_no_crash);
    tcase_add_test(tests, each_built_in_kernel_is_the_same_when_it_is_read_later);
    tcase_add_test(tests, a_paragraph_has_as_many_kernels_as_its_groups_have_words);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_catalog(void)
{
    return suite_run(make_suite());
}
