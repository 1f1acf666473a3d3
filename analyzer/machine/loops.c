/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops, compiled for each instruction set, and the choice at run time.
 *
 * Decisions: doc/decisions/machine-measured-in-turn, traffic.
 */
#include "machine/loops.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

#include "base/attributes.h"

/* Whether the compiler has the intrinsics for short numbers in functions with a target attribute of
 * their own. */
#if defined(__clang__) && defined(__aarch64__)
#define LOOPS_HAVE_DOTS (__clang_major__ >= 16)
#elif defined(__clang__)
#define LOOPS_HAVE_DOTS (__clang_major__ >= 12)
#else
#define LOOPS_HAVE_DOTS (__GNUC__ >= 11)
#endif

#define SET_EACH_12(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define SET_EACH_24(X)                                                                             \
    SET_EACH_12(X)                                                                                 \
    X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23)

/* Every processor of the architecture has these: SSE2 has 16 registers, NEON 32. */
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

/* Compilers turn STREAM's copy into this. */
MEASURED static double copy(const struct loop_arrays *arrays, uint64_t passes)
{
    for (; passes > 0; passes--) {
        memcpy(arrays->c, arrays->a, arrays->count * sizeof(double));
        atomic_signal_fence(memory_order_seq_cst);
    }
    return arrays->c[0];
}

/* Short numbers.  A processor with tiles multiplies matrices of them many times as fast. */
#if defined(__x86_64__) && LOOPS_HAVE_DOTS
/* Processors with this have avx512vl; without avx512vl, clang 14 keeps sums in 16 registers and
 * spills. */
#define DOT avx512bf16
#define DOT_TARGET TARGET("avx512vl,avx512bf16")
#define DOT_SUMS __m512
#define DOT_NUMBERS __m512bh
#define DOT_ADD _mm512_dpbf16_ps
#define DOT_EACH SET_EACH_24
#include "machine/dot_loop.h"

/* With longs, which the intrinsics take, gcc 12 spills the sums in each round. */
typedef int ints_256 VECTOR(32);
typedef int ints_512 VECTOR(64);

#define DOT avxvnni
#define DOT_TARGET TARGET("avx2,avxvnni")
#define DOT_SUMS ints_256
#define DOT_NUMBERS __m256i
#define DOT_ADD(sums, a, b) (ints_256) _mm256_dpbusd_avx_epi32((__m256i)(sums), a, b)
#define DOT_EACH SET_EACH_12
#include "machine/dot_loop.h"

#define DOT avx512vnni
#define DOT_TARGET TARGET("avx512f,avx512vnni")
#define DOT_SUMS ints_512
#define DOT_NUMBERS __m512i
#define DOT_ADD(sums, a, b) (ints_512) _mm512_dpbusd_epi32((__m512i)(sums), a, b)
#define DOT_EACH SET_EACH_24
#include "machine/dot_loop.h"

/* Uses leaf 7, as not every compiler's __builtin_cpu_supports knows tiles. */
static bool has_tiles(void)
{
    enum { AMX_TILE = 1 << 24 };
    unsigned a, b, c, d;

    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & AMX_TILE);
}

/* If the system saves the registers of AVX2, it supports this, too. */
static bool has_avxvnni(void)
{
    enum { AVX_VNNI = 1 << 4 };
    unsigned a, b, c, d;

    return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) &&
           (a & AVX_VNNI);
}
#elif defined(__aarch64__) && LOOPS_HAVE_DOTS
#define DOT bfmmla
#define DOT_TARGET TARGET("arch=armv8.2-a+bf16")
#define DOT_SUMS float32x4_t
#define DOT_NUMBERS bfloat16x8_t
#define DOT_ADD vbfmmlaq_f32
#define DOT_EACH SET_EACH_24
#include "machine/dot_loop.h"

#define DOT sdot
#define DOT_TARGET TARGET("arch=armv8.2-a+dotprod")
#define DOT_SUMS int32x4_t
#define DOT_NUMBERS int8x16_t
#define DOT_ADD vdotq_s32
#define DOT_EACH SET_EACH_24
#include "machine/dot_loop.h"

#define DOT smmla
#define DOT_TARGET TARGET("arch=armv8.2-a+i8mm")
#define DOT_SUMS int32x4_t
#define DOT_NUMBERS int8x16_t
#define DOT_ADD vmmlaq_s32
#define DOT_EACH SET_EACH_24
#include "machine/dot_loop.h"

/* Linux, Documentation/arch/arm64/elf_hwcaps.rst. */
static bool has_sdot(void)
{
    return getauxval(AT_HWCAP) & (1UL << 20);
}

static bool has_i8mm(void)
{
    return getauxval(AT_HWCAP2) & (1UL << 13);
}

static bool has_bf16(void)
{
    return getauxval(AT_HWCAP2) & (1UL << 14);
}

static bool has_tiles(void)
{
    return getauxval(AT_HWCAP2) & (1UL << 23);
}
#endif

static const struct loop_set sets[] = {
#define SET_ROW(set, name, bytes, accumulators, condition)                                         \
    {name,                                                                                         \
     {[MACHINE_COPY] = copy,                                                                       \
      [MACHINE_SCALE] = scale_##set,                                                               \
      [MACHINE_ADD] = add_##set,                                                                   \
      [MACHINE_TRIAD] = triad_##set,                                                               \
      [MACHINE_READ] = read_##set,                                                                 \
      [MACHINE_DOT] = dot_##set,                                                                   \
      [MACHINE_UPDATE] = update_##set,                                                             \
      [MACHINE_RESCALE] = rescale_##set}},
#include "machine/sets.def"
#undef SET_ROW
};

static const struct loop_peak peaks[] = {
#define SET_ROW(set, name, bytes, accumulators, condition)                                         \
    {name, MACHINE_F32, fma_f32_##set, 2 * (accumulators) * (bytes) / sizeof(float)},              \
        {name, MACHINE_F64, fma_f64_##set, 2 * (accumulators) * (bytes) / sizeof(double)},
#include "machine/sets.def"
#undef SET_ROW
#define DOT_ROW(dot, name, precision, flops, accumulators, condition)                              \
    {name, MACHINE_##precision, dot_##dot, (flops) * (accumulators)},
#include "machine/dots.def"
#undef DOT_ROW
};

static bool has_set(size_t index)
{
    const bool conditions[] = {
#define SET_ROW(set, name, bytes, accumulators, condition) (condition),
#include "machine/sets.def"
#undef SET_ROW
    };

    return conditions[index];
}

static bool has_peak(size_t index)
{
    const bool conditions[] = {
#define SET_ROW(set, name, bytes, accumulators, condition) (condition), (condition),
#include "machine/sets.def"
#undef SET_ROW
#define DOT_ROW(dot, name, precision, flops, accumulators, condition) (condition),
#include "machine/dots.def"
#undef DOT_ROW
    };

    return conditions[index];
}

const struct loop_peak *loops_peak_at(enum machine_precision precision, size_t index)
{
    for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++)
        if (peaks[i].precision == precision && has_peak(i) && index-- == 0)
            return &peaks[i];
    return NULL;
}

/* A processor with a wide set has the narrow ones too. */
const struct loop_set *loops_widest(void)
{
    size_t index = 0;

    while (index + 1 < sizeof sets / sizeof *sets && has_set(index + 1))
        index++;
    return &sets[index];
}
