/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of one instruction that multiplies short numbers and adds the products to longer sums:
 * included once an instruction by loops.c, which defines before
 *
 *   DOT            the instruction's name, as part of the function's name
 *   DOT_TARGET     the attribute that compiles for it
 *   DOT_SUMS       type of a register of sums
 *   DOT_NUMBERS    type of a register of short numbers
 *   DOT_ADD        the intrinsic: (sums, numbers, numbers) to sums
 *   DOT_EACH       SET_EACH_12 or SET_EACH_24: how many accumulators, as in loop_set.h
 *
 * Sums of whole numbers wrap.  Sums of bf16 stop growing once they are so large that nothing more
 * counts.  Neither is slower than others.
 */
#define DOT_PASTE(a, b) a##_##b
#define DOT_JOIN(a, b) DOT_PASTE(a, b)

#define DOT_DECLARE(i) a##i = zero + i,
#define DOT_STEP(i) a##i = DOT_ADD(a##i, numbers, numbers);
#define DOT_SUM(i) sum += a##i;

/* Bytes of 0x3c are 0.0115 as bf16, and 60 as whole numbers. */
MEASURED DOT_TARGET static double DOT_JOIN(dot, DOT)(const struct loop_seeds *seeds,
                                                     uint64_t rounds)
{
    DOT_SUMS zero = {0}, DOT_EACH(DOT_DECLARE) sum = zero;
    DOT_NUMBERS numbers;
    double all = 0;

    memset(&numbers, (int)(seeds->start * 0x3c), sizeof numbers);
    for (uint64_t i = 0; i < rounds; i++) {
        DOT_EACH(DOT_STEP)
    }
    DOT_EACH(DOT_SUM)
    for (unsigned i = 0; i < sizeof sum / sizeof sum[0]; i++)
        all += (double)sum[i];
    return all;
}

#undef DOT_PASTE
#undef DOT_JOIN
#undef DOT_DECLARE
#undef DOT_STEP
#undef DOT_SUM
#undef DOT
#undef DOT_TARGET
#undef DOT_SUMS
#undef DOT_NUMBERS
#undef DOT_ADD
#undef DOT_EACH
