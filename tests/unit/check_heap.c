/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_heap.c: tests of the replay of the heap, and of the peaks since a
 * moment, against slow and simple models of both. */
#include <stdlib.h>
#include <string.h>

#include "model/heap.h"
#include "model/peaks.h"
#include "suite.h"

static void obtain(struct heap *heap, uint64_t address, uint64_t size, uint64_t ticks)
{
    const struct heap_block block = {address, size};

    ck_assert_int_eq(heap_obtain(heap, &block, ticks), STATUS_OK);
}

START_TEST(heap_knows_its_peak_to_the_byte_and_when_it_was)
{
    struct heap heap;
    uint64_t size = 0;

    ck_assert_int_eq(heap_init(&heap), STATUS_OK);
    obtain(&heap, 0x1000, 100, 1);
    obtain(&heap, 0x2000, 23, 2);
    ck_assert(heap_release(&heap, 0x1000, 3, &size));
    ck_assert_uint_eq(size, 100);
    obtain(&heap, 0x3000, 99, 4);
    ck_assert_uint_eq(heap.peak_bytes, 123);
    ck_assert_uint_eq(heap.peak_ticks, 2);
    ck_assert_uint_eq(heap.live_bytes, 122);
    ck_assert_uint_eq(heap.live_blocks, 2);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_counts_frees_of_what_it_does_not_know)
{
    struct heap heap;
    uint64_t size;

    ck_assert_int_eq(heap_init(&heap), STATUS_OK);
    ck_assert(!heap_release(&heap, 0x1000, 1, &size));
    ck_assert(!heap_release(&heap, 0, 1, &size));
    ck_assert_uint_eq(heap.unknown_frees, 2);
    ck_assert_uint_eq(heap.live_bytes, 0);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_replaces_a_block_that_is_obtained_twice)
{
    struct heap heap;

    ck_assert_int_eq(heap_init(&heap), STATUS_OK);
    obtain(&heap, 0x1000, 100, 1);
    obtain(&heap, 0x1000, 60, 2);
    ck_assert_uint_eq(heap.missing_frees, 1);
    ck_assert_uint_eq(heap.live_bytes, 60);
    ck_assert_uint_eq(heap.live_blocks, 1);
    ck_assert_uint_eq(heap.peak_bytes, 100);
    heap_fini(&heap);
}
END_TEST

/* Times of blocks are kept in steps of 16 ticks. */
static const struct {
    uint64_t free_ticks;
    uint64_t missing;
    uint64_t live_bytes;
} order_cases[] = {
    {100, 0, 60},
    {116, 0, 60},
    {117, 1, 0},
    {5000, 1, 0},
};

START_TEST(heap_takes_a_free_that_two_threads_wrote_in_the_wrong_order)
{
    struct heap heap;
    uint64_t size;

    ck_assert_int_eq(heap_init(&heap), STATUS_OK);
    obtain(&heap, 0x1000, 100, 1);
    obtain(&heap, 0x1000, 60, 100);
    heap_release(&heap, 0x1000, order_cases[_i].free_ticks, &size);
    ck_assert_uint_eq(heap.missing_frees, order_cases[_i].missing);
    ck_assert_uint_eq(heap.live_bytes, order_cases[_i].live_bytes);
    heap_fini(&heap);
}
END_TEST

START_TEST(heap_refuses_a_block_at_no_address)
{
    struct heap heap;

    ck_assert_int_eq(heap_init(&heap), STATUS_OK);
    obtain(&heap, 0, 100, 1);
    ck_assert_uint_eq(heap.bad_addresses, 1);
    ck_assert_uint_eq(heap.live_bytes, 0);
    heap_fini(&heap);
}
END_TEST

/* ---- against a model --------------------------------------------------- */

enum { ADDRESSES = 3000, STEPS = 200000 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 33;
}

/* Addresses close together and far apart, so that probes run into one
 * another and around the end of the map. */
static uint64_t address_of(uint64_t number)
{
    return number % 2 ? (number + 1) * 16 : (number + 1) << 35;
}

struct model {
    uint64_t sizes[ADDRESSES]; /* plus one; 0 is not live */
    uint64_t live_bytes;
    uint64_t peak_bytes;
};

static void step(struct heap *heap, struct model *model, uint64_t number, uint64_t size)
{
    uint64_t *known = &model->sizes[number];
    uint64_t released;

    if (*known == 0) {
        obtain(heap, address_of(number), size, 1);
        *known = size + 1;
        model->live_bytes += size;
    } else {
        ck_assert(heap_release(heap, address_of(number), 1, &released));
        ck_assert_uint_eq(released, *known - 1);
        model->live_bytes -= released;
        *known = 0;
    }
    if (model->live_bytes > model->peak_bytes)
        model->peak_bytes = model->live_bytes;
}

START_TEST(heap_agrees_with_a_simple_model_whatever_comes_and_goes)
{
    static struct model model;
    struct heap heap;
    uint64_t state = (uint64_t)_i + 1;

    memset(&model, 0, sizeof model);
    ck_assert_int_eq(heap_init(&heap), STATUS_OK);
    for (int i = 0; i < STEPS; i++)
        step(&heap, &model, next_random(&state) % ADDRESSES, next_random(&state) % 5000);
    ck_assert_uint_eq(heap.live_bytes, model.live_bytes);
    ck_assert_uint_eq(heap.peak_bytes, model.peak_bytes);
    ck_assert_uint_eq(heap.unknown_frees, 0);
    ck_assert_uint_eq(heap.missing_frees, 0);
    heap_fini(&heap);
}
END_TEST

/* ---- peaks ------------------------------------------------------------- */

START_TEST(peaks_look_back_to_the_moment_and_no_further)
{
    struct peaks peaks;
    uint64_t outer;
    uint64_t inner;

    peaks_init(&peaks);
    peaks_raise(&peaks, 1000);
    ck_assert_int_eq(peaks_mark(&peaks, 10, &outer), STATUS_OK);
    peaks_raise(&peaks, 70);
    peaks_raise(&peaks, 20);
    ck_assert_int_eq(peaks_mark(&peaks, 20, &inner), STATUS_OK);
    peaks_raise(&peaks, 50);
    peaks_raise(&peaks, 5);
    ck_assert_uint_eq(peaks_forget(&peaks, inner), 50);
    ck_assert_uint_eq(peaks_forget(&peaks, outer), 70);
    ck_assert_uint_eq(peaks.steps.count, 0);
    peaks_fini(&peaks);
}
END_TEST

enum { MOMENTS = 40 };

struct moment {
    bool is_open;
    uint64_t name;
    uint64_t highest;
};

static void change_moment(struct peaks *peaks, struct moment *moment, uint64_t value)
{
    if (moment->is_open) {
        ck_assert_uint_eq(peaks_forget(peaks, moment->name), moment->highest);
    } else {
        ck_assert_int_eq(peaks_mark(peaks, value, &moment->name), STATUS_OK);
        moment->highest = value;
    }
    moment->is_open = !moment->is_open;
}

START_TEST(peaks_agree_with_a_simple_model_in_any_order)
{
    struct moment moments[MOMENTS] = {0};
    struct peaks peaks;
    uint64_t state = (uint64_t)_i + 7;
    uint64_t value = 0;

    peaks_init(&peaks);
    for (int i = 0; i < STEPS / 10; i++) {
        value = next_random(&state) % 300;
        peaks_raise(&peaks, value);
        for (int j = 0; j < MOMENTS; j++)
            if (moments[j].highest < value)
                moments[j].highest = value;
        change_moment(&peaks, &moments[next_random(&state) % MOMENTS], value);
    }
    peaks_fini(&peaks);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heap");
    TCase *tests = tcase_create("heap");

    tcase_add_test(tests, heap_knows_its_peak_to_the_byte_and_when_it_was);
    tcase_add_test(tests, heap_counts_frees_of_what_it_does_not_know);
    tcase_add_test(tests, heap_replaces_a_block_that_is_obtained_twice);
    tcase_add_loop_test(tests, heap_takes_a_free_that_two_threads_wrote_in_the_wrong_order, 0,
                        sizeof order_cases / sizeof *order_cases);
    tcase_add_test(tests, heap_refuses_a_block_at_no_address);
    tcase_add_loop_test(tests, heap_agrees_with_a_simple_model_whatever_comes_and_goes, 0, 5);
    tcase_add_test(tests, peaks_look_back_to_the_moment_and_no_further);
    tcase_add_loop_test(tests, peaks_agree_with_a_simple_model_in_any_order, 0, 5);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
