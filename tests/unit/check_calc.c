/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calculator against counts that others published or that follow from the
 * definition by hand.
 */
#include "calc/calc.h"

#include <stdio.h>
#include <string.h>

#include "suite.h"

static struct calc_value values[CALC_OPTIONS_MAX];
static struct calc_result result;
static struct diagnostic diagnostic;

/* Read "name option=value flag ..." and count. */
static enum status calculate(const char *line)
{
    char copy[256];
    char *rest;
    const struct calc_operation *operation;
    enum status status = STATUS_OK;

    memset(values, 0, sizeof values);
    memset(&result, 0, sizeof result);
    snprintf(copy, sizeof copy, "%s", line);
    operation = calc_find(strtok_r(copy, " ", &rest));
    ck_assert_ptr_nonnull(operation);
    for (const char *word; !status && (word = strtok_r(NULL, " ", &rest));) {
        size_t length = strcspn(word, "=");
        size_t index = calc_find_option(operation, word, length);

        ck_assert_msg(index < operation->option_count, "%s", word);
        status = calc_read_value(operation, index, word[length] ? word + length + 1 : NULL, values,
                                 &diagnostic);
    }
    status = status ? status : calc_complete(operation, values, &diagnostic);
    return status ? status : calc_count(operation, values, &result, &diagnostic);
}

/* A row: the question, and the expected answer; 0 is not checked. */
static const struct count_case {
    const char *line;
    double flops;
    double parameters;
    double needed;
} count_cases[] = {
    /* The specification's own. */
    {"attention batch=1 seq=128 d-model=512 heads=8", 301989888, 0, 0},
    {"attention seq=128 d-model=512", 301989888, 0, 0},
    {"mlp layers=784,512,10 batch=32", 26017792, 407050, 0},
    {"matmul m=32 n=512 k=784", 25690112, 0, 0},
    {"matmul a=32x784 b=784x512", 25690112, 0, 0},
    {"matmul m=4 n=4 k=4 batch=10", 1280, 0, 0},
    /* BERT-base's encoder; its layers have 85,054,464. */
    {"transformer layers=12 d-model=768 heads=12 ff=3072 seq=128", 22347251712, 85054464, 0},
    {"transformer layers=12 d-model=768 heads=12 seq=512", 96636764160, 85054464, 0},
    /* Three passes. */
    {"transformer layers=12 d-model=768 heads=12 seq=128 training", 3. * 22347251712, 85054464, 0},
    /* Llama-2-7B: 850.00 GMACs at 128 tokens; 6,738,415,616 parameters. */
    {"transformer layers=32 d-model=4096 heads=32 ff=11008 vocab=32000 seq=128 decoder gated "
     "no-bias untied",
     1700001742848, 6738415616, 0},
    /* GPT-2 small: one token after none, and prompts; 124,439,808 parameters. */
    {"transformer layers=12 d-model=768 heads=12 vocab=50257 positions=1024 decoder seq=1 "
     "context=1",
     247100928, 124439808, 0},
    {"transformer layers=12 d-model=768 heads=12 vocab=50257 decoder seq=1 context=1001",
     247100928 + 36864. * 1000, 0, 0},
    {"transformer layers=12 d-model=768 heads=12 vocab=50257 decoder seq=1024", 291648307200, 0, 0},
    {"transformer layers=12 d-model=768 heads=12 vocab=50257 decoder seq=128", 32228179968, 0, 0},
    /* A causal mask leaves n (n + 1) / 2 of n n scores: here 4 of 8 d n n are 2 * 2 * 3. */
    {"attention seq=2 d-model=4 causal", 8 * 2 * 16 + 4 * 4 * 4, 0, 8 * 2 * 16 + 4 * 4 * 3},
    /* Keys and values of 8 heads, shared by 2: a quarter of their columns. */
    {"attention seq=2 d-model=8 heads=8 kv-heads=2 no-bias", 2 * 2 * 64 * 2.5 + 4 * 4 * 8, 160, 0},
    /* The context is another sequence: its tokens make keys and values. */
    {"attention seq=2 kv-seq=3 d-model=4", 2 * 16 * (2 + 3 + 3 + 2) + 4 * 2 * 3 * 4, 0, 0},
    {"attention seq=2 d-model=4 ff=16", 8 * 2 * 16 + 4 * 4 * 4 + 4 * 2 * 4 * 16, 0, 0},
    /* ResNet's first convolution, a depthwise and a pointwise one of MobileNet. */
    {"conv2d channels=3 height=224 filters=64 kernel=7 stride=2 padding=3 no-bias", 236027904, 9408,
     232429056},
    {"conv2d channels=32 height=112 filters=32 kernel=3 padding=1 groups=32", 7225344, 320, 0},
    {"conv2d channels=32 height=112 filters=64 kernel=1", 51380224, 2112, 51380224},
    {"conv2d channels=1 height=5 width=7 filters=1 kernel=1x3 stride=2x3 dilation=1x2",
     2 * 3 * 1 * 3, 4, 2 * 3 * 1 * 3},
    /* torch.nn's own parameter counts. */
    {"lstm seq=128 input=256 hidden=512", 402653184, 1576960, 0},
    {"lstm seq=128 input=256 hidden=512 batch=2 no-bias", 2. * 402653184, 1572864, 0},
    {"gru seq=128 input=256 hidden=512", 402653184 * .75, 1182720, 0},
    {"rnn seq=128 input=256 hidden=512", 402653184 * .25, 394240, 0},
    {"lstm seq=1 input=2 hidden=3 layers=2 bidirectional", 2. * 2 * 12 * (2 + 3 + 6 + 3),
     2 * 12 * (2 + 3 + 6 + 3) + 2 * 2 * 2 * 12, 0},
};

START_TEST(counts_equal_those_that_are_known)
{
    const struct count_case *expected = &count_cases[_i];
    struct calc_part sum;

    ck_assert_msg(calculate(expected->line) == STATUS_OK, "%s: %s", expected->line,
                  diagnostic.text);
    sum = calc_sum(&result);
    ck_assert_msg(sum.flops == (long double)expected->flops, "%s: %.0Lf", expected->line,
                  sum.flops);
    if (expected->parameters > 0)
        ck_assert_msg(sum.parameters == (long double)expected->parameters, "%s: %.0Lf",
                      expected->line, sum.parameters);
    if (expected->needed > 0)
        ck_assert_msg(result.needed_flops == (long double)expected->needed, "%s: %.0Lf",
                      expected->line, result.needed_flops);
    calc_result_fini(&result);
}
END_TEST

/* The specification's own code counted one of three projections in its total and none of the
 * scores, and gave shares of 100 and 225 %. */
START_TEST(parts_of_attention_sum_to_it_once)
{
    long double matmuls = 0;

    ck_assert_int_eq(calculate("attention seq=128 d-model=512 heads=8"), STATUS_OK);
    for (size_t i = 0; i < result.parts.count; i++) {
        const struct calc_part *part = array_at(&result.parts, i);

        matmuls += part->flops > 0;
        ck_assert(part->flops == 0 || part->flops == 67108864 || part->flops == 16777216);
    }
    ck_assert(matmuls == 6);
    calc_result_fini(&result);
}
END_TEST

/* d = 512: 128 to 256 tokens 2.22 times, 512 to 1024 2.67, 4096 to 8192 3.6. */
START_TEST(twice_the_sequence_is_four_times_only_far_out)
{
    static const struct {
        double seq, ratio;
    } cases[] = {{128, 2.2222}, {512, 2.6667}, {1024, 3}, {4096, 3.6}, {1e9, 4}};
    char line[64];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        long double quadratic, flops;

        snprintf(line, sizeof line, "attention d-model=512 seq=%.0f", cases[i].seq);
        ck_assert_int_eq(calculate(line), STATUS_OK);
        flops = calc_sum(&result).flops;
        quadratic = calc_quadratic_flops(&result);
        ck_assert_double_eq_tol((double)((2 * flops + 2 * quadratic) / flops), cases[i].ratio,
                                1e-4);
        calc_result_fini(&result);
    }
}
END_TEST

static const struct {
    const char *line;
    const char *says;
} refused_cases[] = {
    {"attention seq=128 d-model=512 heads=7", "--d-model 512 is not divisible by --heads 7"},
    {"attention seq=128 d-model=512 heads=8 kv-heads=3", "--heads 8 is not divisible by"},
    {"attention seq=4 kv-seq=3 d-model=4 causal", "cannot be shorter"},
    {"attention seq=0 d-model=512", "expected a whole number from 1"},
    {"attention seq=99999999999999999999999 d-model=512", "expected a whole number from 1"},
    {"attention seq=-1 d-model=512", "expected a whole number"},
    {"attention seq=0x80 d-model=512", "expected a whole number"},
    {"attention seq=1e3 d-model=512", "expected a whole number"},
    {"attention seq= d-model=512", "expected a whole number"},
    {"attention d-model=512", "--seq is missing"},
    {"matmul a=32x784 b=785x512", "--a has 784 columns and --b has 785 rows"},
    {"matmul a=32x784x2 b=784x512", "whole numbers like 3 or 3x5"},
    {"matmul m=3 n=4", "expected --m, --n and --k, or else --a and --b"},
    {"matmul m=3 n=4 k=5 a=3x4", "expected --m, --n and --k, or else --a and --b"},
    {"conv2d channels=3 height=4 filters=4 kernel=7", "larger than the padded input"},
    {"conv2d channels=3 height=4 filters=4 kernel=3 groups=2", "--channels 3 is not divisible"},
    {"conv2d channels=4 height=4 filters=3 kernel=3 groups=2", "--filters 3 is not divisible"},
    {"conv2d channels=4 height=4 filters=3 kernel=3x", "whole numbers like 3 or 3x5"},
    {"mlp layers=784", "at least two widths"},
    {"mlp layers=784,,10", "whole numbers like 784,512,10"},
    {"mlp layers=784,10,", "whole numbers like 784,512,10"},
    {"mlp layers=784,10 dtype=f31", "expected f64, f32"},
};

START_TEST(sizes_that_do_not_fit_are_refused)
{
    ck_assert_int_eq(calculate(refused_cases[_i].line), STATUS_USAGE);
    ck_assert_msg(strstr(diagnostic.text, refused_cases[_i].says), "%s: %s", refused_cases[_i].line,
                  diagnostic.text);
    if (result.parts.items)
        calc_result_fini(&result);
}
END_TEST

START_TEST(numbers_beyond_64_bits_do_not_wrap)
{
    ck_assert_int_eq(
        calculate("matmul m=1000000000000 n=1000000000000 k=1000000000000 batch=1000000000000"),
        STATUS_OK);
    ck_assert_double_eq_tol((double)(calc_sum(&result).flops / 2e48L), 1, 1e-15);
    calc_result_fini(&result);
}
END_TEST

START_TEST(bytes_follow_the_type)
{
    ck_assert_int_eq(calculate("matmul m=512 n=512 k=512 dtype=f64"), STATUS_OK);
    ck_assert(calc_sum(&result).bytes == 8 * 3 * 512 * 512);
    calc_result_fini(&result);
}
END_TEST

static const struct field *find_field(const struct document *document, const char *key)
{
    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);

        for (size_t j = 0; section->kind == SECTION_RECORD && strcmp(section->key, "total") == 0 &&
                           j < record_field_count(&section->record);
             j++)
            if (strcmp(record_field(&section->record, j)->column.key, key) == 0)
                return record_field(&section->record, j);
    }
    ck_abort_msg("%s", key);
    return NULL;
}

/* 26,017,792 / 407,050 = 63.918 is of 32 items: an item has a 32nd of it. */
START_TEST(flops_a_parameter_are_divided_by_the_items)
{
    struct document document;
    const struct table *groups;
    double share = 0;

    ck_assert_int_eq(calculate("mlp layers=784,512,10 batch=32"), STATUS_OK);
    calc_build(calc_find("mlp"), values, &result, &document);
    ck_assert_double_eq_tol(find_field(&document, "flops_per_param")->value.real, 63.918, 1e-3);
    ck_assert_double_eq_tol(find_field(&document, "flops_per_param_per_item")->value.real,
                            63.918 / 32, 1e-4);
    ck_assert_int_eq(find_field(&document, "tokens")->value.kind, VALUE_NULL);
    groups = document_find_table(&document, "groups");
    for (size_t i = 0; i < table_row_count(groups); i++)
        share += table_row(groups, i)[2].real;
    ck_assert_double_eq_tol(share, 1, 1e-12);
    document_fini(&document);
    calc_result_fini(&result);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("calc");
    TCase *tests = tcase_create("calc");

    tcase_add_loop_test(tests, counts_equal_those_that_are_known, 0,
                        sizeof count_cases / sizeof *count_cases);
    tcase_add_test(tests, parts_of_attention_sum_to_it_once);
    tcase_add_test(tests, twice_the_sequence_is_four_times_only_far_out);
    tcase_add_loop_test(tests, sizes_that_do_not_fit_are_refused, 0,
                        sizeof refused_cases / sizeof *refused_cases);
    tcase_add_test(tests, numbers_beyond_64_bits_do_not_wrap);
    tcase_add_test(tests, bytes_follow_the_type);
    tcase_add_test(tests, flops_a_parameter_are_divided_by_the_items);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_calc(void)
{
    return suite_run(make_suite());
}
