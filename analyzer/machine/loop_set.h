/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops of one instruction set: included once a set by loops.c, which
 * defines before
 *
 *   SET            the set's name, as part of the functions' names
 *   SET_TARGET     the attribute that compiles for it, or nothing
 *   SET_BYTES      of a register
 *   SET_EACH       SET_EACH_12 or SET_EACH_24: how many accumulators
 *
 * An addition that feeds the next one delays it by 4 cycles, and there may be two units (x86) or
 * four (AArch64).  So 8 or 16 accumulators keep them busy; 12 with factor and term fit the 16
 * registers of AVX2, 24 the 32 of the others.
 */
#define SET_PASTE(a, b) a##_##b
#define SET_JOIN(a, b) SET_PASTE(a, b)
#define SET_NAME(stem) SET_JOIN(stem, SET)

/* The one typedef besides function pointers: the attribute needs a name of its own. */
typedef float SET_NAME(floats) VECTOR(SET_BYTES);
typedef double SET_NAME(doubles) VECTOR(SET_BYTES);

#define SET_DECLARE(i) a##i = zero + seeds->start + i,
#define SET_STEP(i) a##i = a##i * factor + term;
#define SET_SUM(i) sum += a##i;

MEASURED SET_TARGET static double SET_NAME(fma_f32)(const struct loop_seeds *seeds, uint64_t rounds)
{
    SET_NAME(floats) zero = {0}, sum = zero, SET_EACH(SET_DECLARE) factor, term;
    double all = 0;

    factor = zero + (float)seeds->factor;
    term = zero + (float)seeds->term;
    for (uint64_t i = 0; i < rounds; i++) {
        SET_EACH(SET_STEP)
    }
    SET_EACH(SET_SUM)
    for (unsigned i = 0; i < SET_BYTES / sizeof(float); i++)
        all += (double)sum[i];
    return all;
}

MEASURED SET_TARGET static double SET_NAME(fma_f64)(const struct loop_seeds *seeds, uint64_t rounds)
{
    SET_NAME(doubles) zero = {0}, sum = zero, SET_EACH(SET_DECLARE) factor, term;
    double all = 0;

    factor = zero + seeds->factor;
    term = zero + seeds->term;
    for (uint64_t i = 0; i < rounds; i++) {
        SET_EACH(SET_STEP)
    }
    SET_EACH(SET_SUM)
    for (unsigned i = 0; i < SET_BYTES / sizeof(double); i++)
        all += sum[i];
    return all;
}

/* The fence is for the compiler: without it all passes but the last are dead. */
MEASURED SET_TARGET static double SET_NAME(scale)(const struct loop_arrays *arrays, uint64_t passes)
{
    const SET_NAME(doubles) *a = (const void *)arrays->a;
    SET_NAME(doubles) *c = (void *)arrays->c;
    size_t count = arrays->count / (SET_BYTES / sizeof(double));

    for (; passes > 0; passes--) {
        for (size_t i = 0; i < count; i += 4) {
            c[i] = a[i] * arrays->factor;
            c[i + 1] = a[i + 1] * arrays->factor;
            c[i + 2] = a[i + 2] * arrays->factor;
            c[i + 3] = a[i + 3] * arrays->factor;
        }
        atomic_signal_fence(memory_order_seq_cst);
    }
    return arrays->c[0];
}

MEASURED SET_TARGET static double SET_NAME(add)(const struct loop_arrays *arrays, uint64_t passes)
{
    const SET_NAME(doubles) *a = (const void *)arrays->a;
    const SET_NAME(doubles) *b = (const void *)arrays->b;
    SET_NAME(doubles) *c = (void *)arrays->c;
    size_t count = arrays->count / (SET_BYTES / sizeof(double));

    for (; passes > 0; passes--) {
        for (size_t i = 0; i < count; i += 4) {
            c[i] = a[i] + b[i];
            c[i + 1] = a[i + 1] + b[i + 1];
            c[i + 2] = a[i + 2] + b[i + 2];
            c[i + 3] = a[i + 3] + b[i + 3];
        }
        atomic_signal_fence(memory_order_seq_cst);
    }
    return arrays->c[0];
}

MEASURED SET_TARGET static double SET_NAME(triad)(const struct loop_arrays *arrays, uint64_t passes)
{
    const SET_NAME(doubles) *a = (const void *)arrays->a;
    const SET_NAME(doubles) *b = (const void *)arrays->b;
    SET_NAME(doubles) *c = (void *)arrays->c;
    size_t count = arrays->count / (SET_BYTES / sizeof(double));

    for (; passes > 0; passes--) {
        for (size_t i = 0; i < count; i += 4) {
            c[i] = a[i] + b[i] * arrays->factor;
            c[i + 1] = a[i + 1] + b[i + 1] * arrays->factor;
            c[i + 2] = a[i + 2] + b[i + 2] * arrays->factor;
            c[i + 3] = a[i + 3] + b[i + 3] * arrays->factor;
        }
        atomic_signal_fence(memory_order_seq_cst);
    }
    return arrays->c[0];
}

/* Two arrays are two streams of prefetches. */
MEASURED SET_TARGET static double SET_NAME(dot)(const struct loop_arrays *arrays, uint64_t passes)
{
    const SET_NAME(doubles) *a = (const void *)arrays->a;
    const SET_NAME(doubles) *c = (const void *)arrays->c;
    SET_NAME(doubles) s0 = {0}, s1 = s0, s2 = s0, s3 = s0;
    size_t count = arrays->count / (SET_BYTES / sizeof(double));

    for (; passes > 0; passes--) {
        for (size_t i = 0; i < count; i += 4) {
            s0 += a[i] * c[i];
            s1 += a[i + 1] * c[i + 1];
            s2 += a[i + 2] * c[i + 2];
            s3 += a[i + 3] * c[i + 3];
        }
        atomic_signal_fence(memory_order_seq_cst);
    }
    s0 = s0 + s1 + s2 + s3;
    return s0[0];
}

/* In place, like axpy: written lines were read before, so no line is read only to be written. */
MEASURED SET_TARGET static double SET_NAME(update)(const struct loop_arrays *arrays,
                                                   uint64_t passes)
{
    const SET_NAME(doubles) *a = (const void *)arrays->a;
    SET_NAME(doubles) *c = (void *)arrays->c;
    size_t count = arrays->count / (SET_BYTES / sizeof(double));

    for (; passes > 0; passes--) {
        for (size_t i = 0; i < count; i += 4) {
            c[i] += a[i] * arrays->shrink;
            c[i + 1] += a[i + 1] * arrays->shrink;
            c[i + 2] += a[i + 2] * arrays->shrink;
            c[i + 3] += a[i + 3] * arrays->shrink;
        }
        atomic_signal_fence(memory_order_seq_cst);
    }
    return arrays->c[0];
}

/* One array in place, like scal. */
MEASURED SET_TARGET static double SET_NAME(rescale)(const struct loop_arrays *arrays,
                                                    uint64_t passes)
{
    SET_NAME(doubles) *c = (void *)arrays->a;
    size_t count = arrays->count / (SET_BYTES / sizeof(double));

    for (; passes > 0; passes--) {
        for (size_t i = 0; i < count; i += 4) {
            c[i] *= arrays->flip;
            c[i + 1] *= arrays->flip;
            c[i + 2] *= arrays->flip;
            c[i + 3] *= arrays->flip;
        }
        atomic_signal_fence(memory_order_seq_cst);
    }
    return arrays->a[0];
}

/* Three arrays in one pass count as one, because they are adjacent. */
MEASURED SET_TARGET static double SET_NAME(read)(const struct loop_arrays *arrays, uint64_t passes)
{
    const SET_NAME(doubles) *a = (const void *)arrays->a;
    SET_NAME(doubles) s0 = {0}, s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    size_t count = arrays->count / (SET_BYTES / sizeof(double));

    for (; passes > 0; passes--) {
        for (size_t i = 0; i < count; i += 8) {
            s0 += a[i];
            s1 += a[i + 1];
            s2 += a[i + 2];
            s3 += a[i + 3];
            s4 += a[i + 4];
            s5 += a[i + 5];
            s6 += a[i + 6];
            s7 += a[i + 7];
        }
        atomic_signal_fence(memory_order_seq_cst);
    }
    s0 = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
    return s0[0];
}

#undef SET_PASTE
#undef SET_JOIN
#undef SET_NAME
#undef SET_DECLARE
#undef SET_STEP
#undef SET_SUM
