/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops, compiled for each instruction set, and the choice at run time.
 */
#include "machine/loops.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/attributes.h"

#define SET_EACH_12(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define SET_EACH_24(X)                                                                             \
    SET_EACH_12(X)                                                                                 \
    X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23)

/* What every processor of the architecture has: SSE2 has 16 registers, NEON 32. */
#if defined(__aarch64__)
#define BASE_NAME "neon"
#define SET_EACH SET_EACH_24
enum { BASE_ACCUMULATORS = 24 };
#else
#define BASE_NAME "sse2"
#define SET_EACH SET_EACH_12
enum { BASE_ACCUMULATORS = 12 };
#endif
#define SET base
#define SET_TARGET
#define SET_BYTES 16
#include "machine/loop_set.h"
#undef SET
#undef SET_TARGET
#undef SET_BYTES
#undef SET_EACH

#if defined(__x86_64__)
#define SET avx2
#define SET_TARGET TARGET("avx2,fma")
#define SET_BYTES 32
#define SET_EACH SET_EACH_12
#include "machine/loop_set.h"
#undef SET
#undef SET_TARGET
#undef SET_BYTES
#undef SET_EACH

#define SET avx512
#define SET_TARGET TARGET("avx512f")
#define SET_BYTES 64
#define SET_EACH SET_EACH_24
#include "machine/loop_set.h"
#endif

/* Compilers make of STREAM's copy what this is. */
MEASURED static double copy(const struct loop_arrays *arrays, uint64_t passes)
{
    for (; passes > 0; passes--) {
        memcpy(arrays->c, arrays->a, arrays->count * sizeof(double));
        atomic_signal_fence(memory_order_seq_cst);
    }
    return arrays->c[0];
}

static const struct loop_set sets[] = {
#define SET_ROW(set, name, bytes, accumulators, condition)                                         \
    {name,                                                                                         \
     {[MACHINE_F32] = fma_f32_##set, [MACHINE_F64] = fma_f64_##set},                               \
     {[MACHINE_F32] = 2 * (accumulators) * (bytes) / sizeof(float),                                \
      [MACHINE_F64] = 2 * (accumulators) * (bytes) / sizeof(double)},                              \
     {[MACHINE_COPY] = copy,                                                                       \
      [MACHINE_SCALE] = scale_##set,                                                               \
      [MACHINE_ADD] = add_##set,                                                                   \
      [MACHINE_TRIAD] = triad_##set,                                                               \
      [MACHINE_READ] = read_##set}},
#include "machine/sets.def"
#undef SET_ROW
};

_Static_assert(sizeof sets / sizeof *sets <= LOOP_SETS, "callers have room for all sets");

static bool is_there(size_t index)
{
    const bool conditions[] = {
#define SET_ROW(set, name, bytes, accumulators, condition) (condition),
#include "machine/sets.def"
#undef SET_ROW
    };

    return conditions[index];
}

/* A processor with a wide set has the narrow ones too. */
const struct loop_set *loops_at(size_t index)
{
    return index < sizeof sets / sizeof *sets && is_there(index) ? &sets[index] : NULL;
}

const struct loop_set *loops_widest(void)
{
    size_t index = 0;

    while (loops_at(index + 1))
        index++;
    return &sets[index];
}
