/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of torch/inputs, on memory laid out as PyTorch lays it out.
 */
#include "suite.h"
#include "torch/inputs.h"

#include <stdio.h>
#include <string.h>

enum layout {
#define TORCH_LAYOUT(key, place, help) key = (place),
#include "torch/layout.def"
#undef TORCH_LAYOUT
    DIMS = 64, /* in a TensorImpl of 2.14 */
    FLOAT = 6,
    TENSORS = 2
};

/* Words of 8 bytes. */
static uint64_t function[64], values[2 * TENSORS], tensors[TENSORS][32];

static void put(uint64_t *object, size_t place, uint64_t word)
{
    memcpy((char *)object + place, &word, sizeof word);
}

static uint64_t count_inputs(const void *of)
{
    ck_assert_ptr_eq(of, function);
    return TENSORS;
}

static uint64_t next_sequence(void)
{
    return 0;
}

/* Make a tensor of 3 by 5 floats.  `device`: three bytes, the lowest first. */
static void lay_tensor(size_t index, uint32_t device)
{
    uint64_t *tensor = tensors[index];

    put(tensor, DIMS, 2);
    put(tensor, DIMS + TENSOR_SIZES, 3);
    put(tensor, DIMS + TENSOR_SIZES + 8, 5);
    put(tensor, DIMS + TENSOR_NUMEL, 15);
    put(tensor, DIMS + TENSOR_TYPE, FLOAT | (uint64_t)device << 16);
    values[2 * index] = (uintptr_t)tensor;
    values[2 * index + 1] = 1; /* the tag of a tensor */
}

static const char *read_devices(uint32_t first, uint32_t second)
{
    static const struct inputs_symbols symbols = {count_inputs, next_sequence};
    static char text[128];
    struct inputs inputs;

    lay_tensor(0, first);
    lay_tensor(1, second);
    put(function, FUNCTION_SEQUENCE, UINT64_MAX);
    put(function, FUNCTION_INPUTS, (uintptr_t)values);
    put(function, FUNCTION_INPUTS + 8, TENSORS);
    inputs_begin(&symbols);
    ck_assert(inputs_read(function, true, &inputs));
    inputs_format(&inputs, text, sizeof text);
    return text;
}

/* Versions since 2.1 have the flag of the optional after type and index, earlier ones before
 * them. */
START_TEST(a_tensor_says_its_device)
{
    static const struct {
        uint32_t bytes;
        const char *text;
    } cases[] = {
        {0x01ff00, "f32[3,5]"},
        {0xff0001, "f32[3,5]"}, /* the processor */
        {0x010000, "f32[3,5]"},
        {0x000001, "f32[3,5]"}, /* "cpu:0" */
        {0x010001, "cuda:f32[3,5]"},
        {0x000101, "cuda:f32[3,5]"}, /* "cuda:0" */
        {0x010101, "cuda:f32[3,5]"},
        {0x010301, "cuda:f32[3,5]"}, /* the second; the fourth */
        {0x020101, "cuda:f32[3,5]"},
        {0x01ff0d, "mps:f32[3,5]"},
        {0x010014, "privateuseone:f32[3,5]"},
        {0x0100c8, "f32[3,5]"}, /* no known type */
    };
    char expected[128];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(expected, sizeof expected, "%s f32[3,5]", cases[i].text);
        ck_assert_str_eq(read_devices(cases[i].bytes, 0x01ff00), expected);
    }
}
END_TEST

START_TEST(a_tensor_without_data_is_no_input)
{
    ck_assert_str_eq(read_devices(0x01ff00, 0x01ff0e), "f32[3,5]");
    ck_assert_str_eq(read_devices(0xff0001, 0xff0e01), "f32[3,5]");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inputs");
    TCase *tests = tcase_create("inputs");

    tcase_add_test(tests, a_tensor_says_its_device);
    tcase_add_test(tests, a_tensor_without_data_is_no_input);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
