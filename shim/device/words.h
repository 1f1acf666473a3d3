/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wrappers of functions whose arguments are all words: integers, pointers, and small structures
 * that registers hold.  One function then serves all rows of an adapter's table.
 *
 *     static word call_NAME(WORDS_TAKEN(9))
 *     {
 *         word words[MOST] = {WORDS_GIVEN(9)};
 */
#ifndef DEVICE_WORDS_H
#define DEVICE_WORDS_H

#include <stdint.h>

typedef uint64_t word;

#define WORDS_TAKEN(count) WORDS_TAKEN_##count
#define WORDS_TAKEN_0 void
#define WORDS_TAKEN_1 word a
#define WORDS_TAKEN_2 WORDS_TAKEN_1, word b
#define WORDS_TAKEN_3 WORDS_TAKEN_2, word c
#define WORDS_TAKEN_4 WORDS_TAKEN_3, word d
#define WORDS_TAKEN_5 WORDS_TAKEN_4, word e
#define WORDS_TAKEN_6 WORDS_TAKEN_5, word f
#define WORDS_TAKEN_7 WORDS_TAKEN_6, word g
#define WORDS_TAKEN_8 WORDS_TAKEN_7, word h
#define WORDS_TAKEN_9 WORDS_TAKEN_8, word i
#define WORDS_TAKEN_10 WORDS_TAKEN_9, word j
#define WORDS_TAKEN_11 WORDS_TAKEN_10, word k
#define WORDS_TAKEN_12 WORDS_TAKEN_11, word l
#define WORDS_TAKEN_13 WORDS_TAKEN_12, word m
#define WORDS_TAKEN_14 WORDS_TAKEN_13, word n

#define WORDS_GIVEN(count) WORDS_GIVEN_##count
#define WORDS_GIVEN_0 0
#define WORDS_GIVEN_1 a
#define WORDS_GIVEN_2 WORDS_GIVEN_1, b
#define WORDS_GIVEN_3 WORDS_GIVEN_2, c
#define WORDS_GIVEN_4 WORDS_GIVEN_3, d
#define WORDS_GIVEN_5 WORDS_GIVEN_4, e
#define WORDS_GIVEN_6 WORDS_GIVEN_5, f
#define WORDS_GIVEN_7 WORDS_GIVEN_6, g
#define WORDS_GIVEN_8 WORDS_GIVEN_7, h
#define WORDS_GIVEN_9 WORDS_GIVEN_8, i
#define WORDS_GIVEN_10 WORDS_GIVEN_9, j
#define WORDS_GIVEN_11 WORDS_GIVEN_10, k
#define WORDS_GIVEN_12 WORDS_GIVEN_11, l
#define WORDS_GIVEN_13 WORDS_GIVEN_12, m
#define WORDS_GIVEN_14 WORDS_GIVEN_13, n

#endif
