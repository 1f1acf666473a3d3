/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FFTW 3, in its three precisions.  The sizes of a plan are arguments of the function that made it,
 * and that function's name gives their form.
 *
 *   fftw_plan_[many_|guru_|guru64_][split_]{dft|r2r}[_r2c|_c2r][_1d|_2d|_3d]
 *
 * The subroutines for Fortran (dfftw_plan_...) take every argument by reference.  The first
 * argument is an integer that holds the plan.  Sizes are in Fortran's order, C's last size first.
 * Only the guru functions have strides that show the order, and it is C's.  The subroutines call
 * the functions of C inside the library.
 *
 * Source: FFTW 3.3.10, manual, chapters 4 and 8; api/f77funcs.h.
 */
#include <float.h>
#include <stddef.h>
#include <string.h>

#include "adapter/adapter.h"
#include "call/entry.h"

enum { RANK_MAX = 64, SHOWN = 4 };

#define LONG_DOUBLE (LDBL_MANT_DIG == 64 ? "f80" : "f128")

/* How a function gets the sizes. */
enum layout {
    LAYOUT_EACH,   /* an argument a dimension */
    LAYOUT_LIST,   /* rank, int[] */
    LAYOUT_MANY,   /* rank, int[], how many */
    LAYOUT_GURU,   /* rank, dimensions, rank of the batch, its dimensions */
    LAYOUT_GURU64, /* the same with wide numbers */
    LAYOUT_STRIDES /* Fortran's: rank, int[], two of strides, rank of the batch, int[] */
};

struct making {
    enum adapted kernel;
    enum layout layout;
    int rank; /* for LAYOUT_EACH */
    bool is_fortran;
    const char *type;
    uint64_t real_size; /* size of one number, in bytes */
};

/* fftw_iodim and fftw_iodim64. */
struct dimension {
    int n, input_stride, output_stride;
};

struct wide_dimension {
    ptrdiff_t n, input_stride, output_stride;
};

struct sizes {
    int64_t n[RANK_MAX];
    int rank;
    int64_t batch;
};

static bool accept(const char **name, const char *expected)
{
    size_t length = strlen(expected);
    bool is_next = strncmp(*name, expected, length) == 0;

    *name += is_next ? length : 0;
    return is_next;
}

/* Take the prefix of a precision off a name.  Returns: false when it has none. */
static bool accept_precision(const char **name, struct making *making)
{
    static const struct {
        const char *prefix;
        const char *type;
        uint64_t real_size;
        bool is_fortran;
    } precisions[] = {{"fftw_", "f64", sizeof(double), false},
                      {"fftwf_", "f32", sizeof(float), false},
                      {"fftwl_", LONG_DOUBLE, sizeof(long double), false},
                      {"dfftw_", "f64", sizeof(double), true},
                      {"sfftw_", "f32", sizeof(float), true},
                      {"lfftw_", LONG_DOUBLE, sizeof(long double), true}};

    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++) {
        if (!accept(name, precisions[i].prefix))
            continue;
        making->type = precisions[i].type;
        making->real_size = precisions[i].real_size;
        making->is_fortran = precisions[i].is_fortran;
        return true;
    }
    return false;
}

static enum layout accept_layout(const char **name)
{
    if (accept(name, "many_"))
        return LAYOUT_MANY;
    if (accept(name, "guru_"))
        return LAYOUT_GURU;
    if (accept(name, "guru64_"))
        return LAYOUT_GURU64;
    return LAYOUT_LIST;
}

static enum adapted accept_transform(const char **name)
{
    if (accept(name, "r2r"))
        return ADAPTED_fftw_r2r;
    accept(name, "dft");
    if (accept(name, "_r2c"))
        return ADAPTED_fftw_dft_r2c;
    return accept(name, "_c2r") ? ADAPTED_fftw_dft_c2r : ADAPTED_fftw_dft;
}

static struct making read_name(const char *name)
{
    struct making making = {0};

    accept_precision(&name, &making);
    accept(&name, "plan_");
    making.layout = accept_layout(&name);
    if (making.is_fortran && making.layout == LAYOUT_GURU)
        making.layout = LAYOUT_STRIDES;
    accept(&name, "split_");
    making.kernel = accept_transform(&name);
    if (name[0] == '_' && name[1] >= '1' && name[1] <= '3') { /* _1d */
        making.layout = LAYOUT_EACH;
        making.rank = name[1] - '0';
    }
    return making;
}

/* An argument of the C function, in a register or on the stack. */
static word argument(const struct making *making, const struct entry_frame *frame, unsigned i)
{
    return entry_integer(frame, i + making->is_fortran);
}

static int number(const struct making *making, const struct entry_frame *frame, unsigned i)
{
    word value = argument(making, frame, i);

    return making->is_fortran ? *(const int *)value : (int)value;
}

/* Element `i` of the array that argument `place` is. */
static int64_t element(const struct making *making, const struct entry_frame *frame, unsigned place,
                       int i)
{
    word array = argument(making, frame, place);

    if (making->layout == LAYOUT_GURU)
        return ((const struct dimension *)array)[i].n;
    if (making->layout == LAYOUT_GURU64)
        return ((const struct wide_dimension *)array)[i].n;
    return ((const int *)array)[i];
}

static int64_t size_at(const struct making *making, const struct entry_frame *frame, int i)
{
    return making->layout == LAYOUT_EACH ? number(making, frame, (unsigned)i)
                                         : element(making, frame, 1, i);
}

static int64_t multiply_batch(const struct making *making, const struct entry_frame *frame,
                              unsigned rank_place)
{
    int rank = number(making, frame, rank_place);
    int64_t batch = 1;

    for (int i = 0; i < rank; i++)
        batch *= element(making, frame, rank_place + 1, i);
    return batch;
}

static int64_t read_batch(const struct making *making, const struct entry_frame *frame)
{
    switch (making->layout) {
    case LAYOUT_EACH:
    case LAYOUT_LIST: return 1;
    case LAYOUT_MANY: return number(making, frame, 2);
    case LAYOUT_GURU:
    case LAYOUT_GURU64: return multiply_batch(making, frame, 2);
    case LAYOUT_STRIDES: return multiply_batch(making, frame, 4);
    }
    return 1;
}

static bool is_reversed(const struct making *making)
{
    return making->is_fortran && making->layout != LAYOUT_STRIDES;
}

/* Read the sizes in the order of C.  Returns: false when the rank is impossible; no plan has
 * that. */
static bool read_sizes(const struct making *making, const struct entry_frame *frame,
                       struct sizes *sizes)
{
    sizes->rank = making->layout == LAYOUT_EACH ? making->rank : number(making, frame, 0);
    if (sizes->rank < 0 || sizes->rank > RANK_MAX)
        return false;
    for (int i = 0; i < sizes->rank; i++)
        sizes->n[is_reversed(making) ? sizes->rank - 1 - i : i] = size_at(making, frame, i);
    sizes->batch = read_batch(making, frame);
    return true;
}

static int64_t multiply(const struct sizes *sizes, int first)
{
    int64_t product = 1;

    for (int i = first; i < sizes->rank; i++)
        product *= sizes->n[i];
    return product;
}

/* A real transform of n has n / 2 + 1 complex numbers in its last dimension. */
static int64_t count_bytes(const struct making *making, const struct sizes *sizes)
{
    int64_t n = multiply(sizes, 0);
    int64_t last = sizes->rank > 0 ? sizes->n[sizes->rank - 1] : 1;
    int64_t numbers = 2 * n; /* read and written */

    if (making->kernel == ADAPTED_fftw_dft)
        numbers = 4 * n;
    else if (making->kernel != ADAPTED_fftw_r2r && last > 0)
        numbers = n + n / last * (last / 2 + 1) * 2;
    return numbers * (int64_t)making->real_size * sizes->batch;
}

static struct object_shape describe_plan(const struct making *making, const struct sizes *sizes)
{
    struct object_shape shape = adapter_begin_shape(making->kernel);

    shape.values[TERM_fftw_dft_types] = adapter_pack_text(making->type);
    shape.values[TERM_fftw_dft_batch] = sizes->batch;
    for (int i = 0; i < SHOWN; i++)
        shape.values[TERM_fftw_dft_n0 + i] = i < sizes->rank ? sizes->n[i] : 1;
    if (sizes->rank > SHOWN)
        shape.values[TERM_fftw_dft_n3] = multiply(sizes, SHOWN - 1);
    shape.values[TERM_fftw_dft_n] = multiply(sizes, 0);
    shape.values[TERM_fftw_dft_bytes] = count_bytes(making, sizes);
    return shape;
}

static void note_plan(const struct entry_frame *frame, word plan)
{
    struct making making = read_name(frame->binding->symbol->name);
    struct object_shape shape;
    struct sizes sizes;

    if (plan == 0)
        return;
    if (!read_sizes(&making, frame, &sizes)) {
        object_forget((const void *)plan);
        return;
    }
    shape = describe_plan(&making, &sizes);
    object_remember((const void *)plan, &shape);
}

static void note_fortran_plan(const struct entry_frame *frame, word result)
{
    (void)result;
    note_plan(frame, *(const word *)frame->integers[0]);
}

static void forget_plan(const struct entry_frame *frame)
{
    object_forget((const void *)frame->integers[0]);
}

static void forget_fortran_plan(const struct entry_frame *frame)
{
    object_forget(*(const void *const *)frame->integers[0]);
}

/* Two rows each: for calls from C, and from Fortran. */
static const struct adapter_call makes[] = {{.object = -1, .after = note_plan},
                                            {.object = -1, .after = note_fortran_plan}};
static const struct adapter_call executes[] = {{.object = 0},
                                               {.object = 0, .is_by_reference = true}};
static const struct adapter_call destroys[] = {{.object = -1, .before = forget_plan},
                                               {.object = -1, .before = forget_fortran_plan}};

const struct adapter_call *fftw_find(const char *symbol)
{
    struct making making;

    if (!accept_precision(&symbol, &making))
        return NULL;
    if (accept(&symbol, "plan_"))
        return &makes[making.is_fortran];
    if (accept(&symbol, "execute"))
        return &executes[making.is_fortran];
    return accept(&symbol, "destroy_plan") ? &destroys[making.is_fortran] : NULL;
}
