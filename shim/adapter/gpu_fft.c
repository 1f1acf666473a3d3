/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuFFT and hipFFT: a plan is made of sizes, and executed later.  Plans of cuFFT are small numbers,
 * those of hipFFT addresses.
 *
 * Source: cufft.h and cufftXt.h of CUDA 11 to 13; hipfft.h and hipfftXt.h of ROCm 6.
 */
#include <stddef.h>
#include <string.h>

#include "adapter/adapter.h"
#include "call/entry.h"

enum { RANK_MAX = 3, NOWHERE = 255 };

/* cufftType. */
enum { R2C = 0x2a, C2R = 0x2c, C2C = 0x29, D2Z = 0x6a, Z2D = 0x6c, Z2Z = 0x69 };

/* How a function gets the sizes. */
enum sizes { EACH, INTEGERS, WIDE };

/* A function that makes a plan, behind the prefix.  Places are among its arguments. */
static const struct making {
    const char *name;
    bool is_by_reference; /* argument 0 points to the new plan */
    uint8_t sizes;        /* enum sizes */
    uint8_t rank;         /* for EACH */
    uint8_t type, batch;
    uint8_t output_type; /* NOWHERE: `type` is a cufftType, else types are those of data */
} makings[] = {
    {"Plan1d", true, EACH, 1, 2, 3, NOWHERE},
    {"Plan2d", true, EACH, 2, 3, NOWHERE, NOWHERE},
    {"Plan3d", true, EACH, 3, 4, NOWHERE, NOWHERE},
    {"PlanMany", true, INTEGERS, 0, 9, 10, NOWHERE},
    {"MakePlan1d", false, EACH, 1, 2, 3, NOWHERE},
    {"MakePlan2d", false, EACH, 2, 3, NOWHERE, NOWHERE},
    {"MakePlan3d", false, EACH, 3, 4, NOWHERE, NOWHERE},
    {"MakePlanMany", false, INTEGERS, 0, 9, 10, NOWHERE},
    {"MakePlanMany64", false, WIDE, 0, 9, 10, NOWHERE},
    {"XtMakePlanMany", false, WIDE, 0, 6, 11, 10},
};

static const char *const executions[] = {"ExecC2C", "ExecR2C", "ExecC2R", "ExecZ2Z",
                                         "ExecD2Z", "ExecZ2D", "XtExec"};

/* The place of plan 0, which cannot be a key. */
static const char plan_zero;

static const void *key_of(word plan)
{
    return plan != 0 ? (const void *)plan : &plan_zero;
}

/* Returns: the name behind the prefix; NULL when it is neither of cuFFT nor of hipFFT. */
static const char *without_prefix(const char *symbol)
{
    static const char *const prefixes[] = {"cufft", "hipfft"};

    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(symbol, prefixes[i], strlen(prefixes[i])) == 0)
            return symbol + strlen(prefixes[i]);
    return NULL;
}

static const struct making *find_making(const char *name)
{
    for (unsigned i = 0; i < sizeof makings / sizeof *makings; i++)
        if (strcmp(makings[i].name, name) == 0)
            return &makings[i];
    return NULL;
}

/* cudaDataType: 0 f32, 1 f64, 2 f16; 4, 5 and 6 their complex numbers, 14 and 15 bf16. */
static const char *name_data(int type)
{
    static const char *const names[] = {[0] = "f32", [1] = "f64", [2] = "f16",   [4] = "f32",
                                        [5] = "f64", [6] = "f16", [14] = "bf16", [15] = "bf16"};

    return type >= 0 && type < (int)(sizeof names / sizeof *names) && names[type] ? names[type]
                                                                                  : "?";
}

static bool is_complex(int data)
{
    return (data >= 4 && data <= 6) || data == 15;
}

static int number(const struct entry_frame *frame, unsigned place)
{
    return (int)entry_integer(frame, place);
}

static enum adapted find_kernel(const struct making *making, const struct entry_frame *frame,
                                const char **type)
{
    int first = number(frame, making->type);

    if (making->output_type != NOWHERE) {
        *type = name_data(first);
        if (!is_complex(first))
            return ADAPTED_gpu_fft_r2c;
        return is_complex(number(frame, making->output_type)) ? ADAPTED_gpu_fft
                                                              : ADAPTED_gpu_fft_c2r;
    }
    *type = first >= Z2Z ? "f64" : "f32";
    switch (first) {
    case R2C:
    case D2Z: return ADAPTED_gpu_fft_r2c;
    case C2R:
    case Z2D: return ADAPTED_gpu_fft_c2r;
    default: return ADAPTED_gpu_fft;
    }
}

static int64_t size_at(const struct making *making, const struct entry_frame *frame, int i)
{
    switch ((enum sizes)making->sizes) {
    case EACH: return number(frame, 1 + (unsigned)i);
    case INTEGERS: return ((const int *)entry_integer(frame, 2))[i];
    case WIDE: return ((const long long *)entry_integer(frame, 2))[i];
    }
    return 0;
}

static void note_plan(const struct entry_frame *frame, word status)
{
    const struct making *making = find_making(without_prefix(frame->binding->symbol->name));
    const char *symbol = frame->binding->symbol->name;
    const char *type;
    struct object_shape shape = adapter_begin_shape(find_kernel(making, frame, &type));
    int rank = making->rank > 0 ? making->rank : number(frame, 1);
    word plan = entry_integer(frame, 0);
    int64_t n = 1;

    if ((int)status != 0 || rank < 1 || rank > RANK_MAX)
        return;
    if (making->is_by_reference)
        plan = symbol[0] == 'h' ? *(const word *)plan : *(const uint32_t *)plan;
    for (int i = 0; i < RANK_MAX; i++) {
        int64_t size = i < rank ? size_at(making, frame, i) : 1;

        shape.values[TERM_gpu_fft_n0 + i] = size;
        n *= size;
    }
    shape.values[TERM_gpu_fft_batch] = making->batch == NOWHERE ? 1 : number(frame, making->batch);
    shape.values[TERM_gpu_fft_types] = adapter_pack_text(type);
    shape.values[TERM_gpu_fft_n] = n;
    object_remember(key_of(plan), &shape);
}

static void forget_plan(const struct entry_frame *frame)
{
    object_forget(key_of(frame->integers[0]));
}

static const struct object_shape *find_plan_zero(const struct binding *binding,
                                                 const word *integers)
{
    (void)binding;
    return integers[0] == 0 ? object_find(&plan_zero) : NULL;
}

const struct adapter_call *gpu_fft_find(const char *symbol)
{
    static const struct adapter_call makes = {.object = -1, .after = note_plan};
    static const struct adapter_call executes = {.object = 0, .describe = find_plan_zero};
    static const struct adapter_call destroys = {.object = -1, .before = forget_plan};
    const char *name = without_prefix(symbol);

    if (!name)
        return NULL;
    for (unsigned i = 0; i < sizeof executions / sizeof *executions; i++)
        if (strcmp(name, executions[i]) == 0)
            return &executes;
    if (strcmp(name, "Destroy") == 0)
        return &destroys;
    return find_making(name) ? &makes : NULL;
}
