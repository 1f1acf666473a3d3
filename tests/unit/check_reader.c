/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of opening traces and decoding their events.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader/merge.h"
#include "reader/reader.h"
#include "spec/drawn_calls.h"
#include "suite.h"
#include "trace_builder.h"

enum { CHUNK_SIZE = 4096 };

static enum status open_written(const struct trace_builder *builder, struct reader *reader,
                                struct diagnostic *diagnostic)
{
    char path[BUILDER_PATH_SIZE];

    trace_builder_write(builder, builder->size, path);
    enum status status = reader_open(reader, path, diagnostic);
    unlink(path);
    return status;
}

static void open_soundly(const struct trace_builder *builder, struct reader *reader)
{
    struct diagnostic diagnostic = {.text = ""};

    ck_assert_msg(!open_written(builder, reader, &diagnostic), "%s", diagnostic.text);
}

/* ---- files that are no trace ------------------------------------------- */

static const struct {
    size_t offset;
    const char *bytes;
    size_t size;
    enum status status;
    const char *told;
} header_cases[] = {
    {0, "\177ELF\2\1\1\0", 8, STATUS_CORRUPT, "byte 0: expected the magic"},
    {8, "\2\0\0\0", 4, STATUS_UNSUPPORTED, "byte 8: expected version 6 to 15, found version 2"},
    {8, "\5\0\0\0", 4, STATUS_UNSUPPORTED, "byte 8: expected version 6 to 15, found version 5"},
    {8, "\6\0\0\0", 4, STATUS_OK, ""},
    {8, "\7\0\0\0", 4, STATUS_OK, ""},
    {8, "\10\0\0\0", 4, STATUS_OK, ""},
    {8, "\11\0\0\0", 4, STATUS_OK, ""},
    {8, "\12\0\0\0", 4, STATUS_OK, ""},
    {8, "\13\0\0\0", 4, STATUS_OK, ""},
    {8, "\14\0\0\0", 4, STATUS_OK, ""},
    {8, "\15\0\0\0", 4, STATUS_OK, ""},
    {8, "\16\0\0\0", 4, STATUS_OK, ""},
    {8, "\17\0\0\0", 4, STATUS_OK, ""},
    {8, "\20\0\0\0", 4, STATUS_UNSUPPORTED,
     "found version 16: read this trace with the tprof that recorded it or a later one"},
    {12, "\1\2\3\4", 4, STATUS_UNSUPPORTED,
     "byte 12: expected the byte order 0x01020304, found 0x04030201"},
    {12, "\7\7\7\7", 4, STATUS_CORRUPT, "byte 12: expected the byte order"},
    {16, "\7\0\0\0", 4, STATUS_OK, ""},
};

START_TEST(reader_names_the_byte_of_a_header_that_it_refuses)
{
    struct trace_builder builder;
    struct reader reader;
    struct diagnostic diagnostic = {.text = ""};

    trace_builder_init(&builder);
    memcpy(builder.bytes + header_cases[_i].offset, header_cases[_i].bytes, header_cases[_i].size);
    ck_assert_int_eq(open_written(&builder, &reader, &diagnostic), header_cases[_i].status);
    ck_assert_msg(strstr(diagnostic.text, header_cases[_i].told), "%s", diagnostic.text);
    reader_close(&reader);
    trace_builder_fini(&builder);
}
END_TEST

static const struct {
    const char *path;
    const char *told;
} path_cases[] = {
    {"/nonexistent/x.tprof", "No such file"},
    {"/", "a directory"},
    {"/dev/null", "not a regular file"},
};

START_TEST(reader_refuses_what_is_no_regular_file)
{
    struct reader reader;
    struct diagnostic diagnostic;

    ck_assert_int_eq(reader_open(&reader, path_cases[_i].path, &diagnostic), STATUS_IO);
    ck_assert_ptr_nonnull(strstr(diagnostic.text, path_cases[_i].told));
}
END_TEST

static const struct {
    size_t size;
    const char *told;
} short_cases[] = {
    {0, "found an empty file"},
    {5, "found the end of the file"},
    {375, "byte 375: expected a header of 4096 bytes"},
    {4095, "byte 4095: expected a header of 4096 bytes"},
};

START_TEST(reader_tells_where_a_short_file_ends)
{
    struct trace_builder builder;
    struct reader reader;
    struct diagnostic diagnostic;
    char path[BUILDER_PATH_SIZE];

    trace_builder_init(&builder);
    trace_builder_write(&builder, short_cases[_i].size, path);
    ck_assert_int_eq(reader_open(&reader, path, &diagnostic), STATUS_CORRUPT);
    ck_assert_msg(strstr(diagnostic.text, short_cases[_i].told), "%s", diagnostic.text);
    unlink(path);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- chunks ------------------------------------------------------------ */

static void build_chunks(struct trace_builder *builder, uint32_t count)
{
    trace_builder_init(builder);
    for (uint32_t i = 0; i < count; i++) {
        trace_builder_chunk(builder, TRACE_EVENTS, 1, i, CHUNK_SIZE, 2000);
        trace_builder_block(builder, TRACE_EVENT_MALLOC, 2000 + 16 * i, 0x1000 + 64 * i, 10 + i);
    }
}

/* Changes of the head of the second of four chunks. */
static const struct {
    size_t offset;
    uint32_t value;
    size_t chunks;
    uint64_t torn;
} head_cases[] = {
    {offsetof(struct trace_chunk, reserved), 7, 4, 0},
    {offsetof(struct trace_chunk, magic), 7, 3, 1},
    {offsetof(struct trace_chunk, kind), 9, 3, 1},
    {offsetof(struct trace_chunk, offset), 4096, 3, 1},
    {offsetof(struct trace_chunk, size), 4097, 3, 1},
    {offsetof(struct trace_chunk, size), 0, 3, 1},
    {offsetof(struct trace_chunk, size) + 4, 1, 4, 1},
    {offsetof(struct trace_chunk, size) + 4, UINT32_MAX, 4, 1},
    {offsetof(struct trace_chunk, size), 8192, 3, 1},
    {offsetof(struct trace_chunk, used), 5000, 3, 1},
    {offsetof(struct trace_chunk, used), 0, 3, 1},
    {offsetof(struct trace_chunk, used) + 4, 1, 3, 1},
};

START_TEST(reader_loses_no_more_than_the_chunk_whose_head_is_damaged)
{
    struct trace_builder builder;
    struct reader reader;

    build_chunks(&builder, 4);
    memcpy(builder.bytes + TRACE_HEADER_SIZE + CHUNK_SIZE + head_cases[_i].offset,
           &head_cases[_i].value, sizeof head_cases[_i].value);
    open_soundly(&builder, &reader);
    ck_assert_uint_eq(reader.chunks.count, head_cases[_i].chunks);
    ck_assert_uint_eq(reader.torn_chunks, head_cases[_i].torn);
    reader_close(&reader);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(reader_counts_no_loss_in_space_that_was_not_yet_claimed)
{
    struct trace_builder builder;
    struct reader reader;

    build_chunks(&builder, 2);
    trace_builder_chunk(&builder, TRACE_EVENTS, 1, 2, 16384, 3000);
    memset(trace_builder_head(&builder), 0, 16384);
    trace_builder_header(&builder)->size -= 16384;
    open_soundly(&builder, &reader);
    ck_assert_uint_eq(reader.chunks.count, 2);
    ck_assert_uint_eq(reader.torn_chunks, 0);
    reader_close(&reader);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(reader_misses_no_chunk_that_a_capacity_took)
{
    struct trace_builder builder;
    struct reader reader;

    trace_builder_init(&builder);
    trace_builder_header(&builder)->reused_chunks = 3;
    trace_builder_chunk(&builder, TRACE_EVENTS, 1, 4, CHUNK_SIZE, 2000);
    trace_builder_chunk(&builder, TRACE_EVENTS, 1, 3, CHUNK_SIZE, 1900);
    open_soundly(&builder, &reader);
    ck_assert_uint_eq(reader.torn_chunks, 0);
    const struct reader_chunk *chunks = reader.chunks.items;
    ck_assert_uint_eq(chunks[0].sequence, 3);
    ck_assert_uint_eq(chunks[1].sequence, 4);
    reader_close(&reader);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- events ------------------------------------------------------------ */

static void open_merge(struct trace_builder *builder, struct reader *reader, struct merge *merge)
{
    open_soundly(builder, reader);
    merge_open(merge, reader);
}

static void close_merge(struct trace_builder *builder, struct reader *reader, struct merge *merge)
{
    merge_close(merge);
    reader_close(reader);
    trace_builder_fini(builder);
}

START_TEST(reader_gives_back_every_field_of_every_sort_of_record)
{
    struct trace_builder builder;
    struct reader reader;
    struct merge merge;
    const uint64_t words[2] = {7, 8};

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_EVENTS, 3, 0, CHUNK_SIZE, 2000);
    trace_builder_block(&builder, TRACE_EVENT_CALLOC, 2032, 0x7ffffffffff8, TRACE_SIZE_LARGE - 1);
    trace_builder_block(&builder, TRACE_EVENT_MALLOC, 2048, 0x10, UINT64_C(1) << 40);
    trace_builder_call(&builder, TRACE_EVENT_KERNEL, 2050, (1 << TRACE_CELL_BITS) - 1,
                       drawn_calls_pack(UINT64_C(1) << 57, DRAWN_CALLS_MOST));
    trace_builder_extended(&builder, UINT64_C(1) << 50, TRACE_EXTENDED_METRIC, words, 2);
    open_merge(&builder, &reader, &merge);

    const struct reader_event *event = merge_next(&merge);
    ck_assert_int_eq(event->kind, TRACE_EVENT_CALLOC);
    ck_assert_uint_eq(merge_lane(&merge, event->source), 3);
    ck_assert_uint_eq(event->ticks, 2032);
    ck_assert_uint_eq(event->address, 0x7ffffffffff8);
    ck_assert_uint_eq(event->size, TRACE_SIZE_LARGE - 1);
    event = merge_next(&merge);
    ck_assert_uint_eq(event->size, UINT64_C(1) << 40);
    ck_assert_uint_eq(event->ticks, 2048);
    event = merge_next(&merge);
    ck_assert_int_eq(event->kind, TRACE_EVENT_KERNEL);
    ck_assert_uint_eq(event->ticks, 2050);
    ck_assert_uint_eq(event->cell, (1 << TRACE_CELL_BITS) - 1);
    ck_assert_uint_eq(event->duration, UINT64_C(1) << 57);
    ck_assert_uint_eq(event->doublings, DRAWN_CALLS_MOST);
    event = merge_next(&merge);
    ck_assert_int_eq(event->type, TRACE_EXTENDED_METRIC);
    ck_assert_uint_eq(event->ticks, UINT64_C(1) << 50);
    ck_assert_mem_eq(event->words, words, sizeof words);
    ck_assert_ptr_null(merge_next(&merge));
    ck_assert_ptr_null(merge_next(&merge));
    close_merge(&builder, &reader, &merge);
}
END_TEST

static const struct {
    struct trace_builder_block block;
    struct trace_builder_draw draw;
} drawn_cases[] = {
    {{0x7ffffffffff0, 100, 7}, {1 << 19, 8}},
    {{0x10, 0, 0}, {1, 24}},
    {{0x10, UINT64_C(1) << 40, 1}, {UINT32_MAX, (1 << 28) - 1}},
};

START_TEST(reader_gives_back_a_drawn_block_as_the_kind_that_it_is)
{
    const struct trace_builder_block *block = &drawn_cases[_i].block;
    struct trace_builder builder;
    struct reader reader;
    struct merge merge;

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_EVENTS, 3, 0, CHUNK_SIZE, 2000);
    trace_builder_drawn(&builder, TRACE_EVENT_REALLOC, 2032, block, &drawn_cases[_i].draw);
    trace_builder_block(&builder, TRACE_EVENT_MALLOC, 2048, 0x20, 5);
    open_merge(&builder, &reader, &merge);

    const struct reader_event *event = merge_next(&merge);
    ck_assert_int_eq(event->kind, TRACE_EVENT_REALLOC);
    ck_assert_uint_eq(event->ticks, 2032);
    ck_assert_uint_eq(event->address, block->address);
    ck_assert_uint_eq(event->size, block->size);
    ck_assert_uint_eq(event->cell, block->chain);
    ck_assert_uint_eq(event->distance, drawn_cases[_i].draw.distance);
    ck_assert_uint_eq(event->excess, drawn_cases[_i].draw.excess);
    event = merge_next(&merge);
    ck_assert_uint_eq(event->address, 0x20);
    ck_assert_uint_eq(event->distance, 0);
    ck_assert_ptr_null(merge_next(&merge));
    close_merge(&builder, &reader, &merge);
}
END_TEST

/* A record after which another cannot be found. */
static const struct {
    uint64_t words[3];
    uint64_t bad;
} record_cases[] = {
    {{TRACE_EVENT_NONE, 0}, 0},
    {{TRACE_EVENT_KINDS, 0}, 1},
    {{15, 0}, 1},
    {{TRACE_EVENT_TIME | 16, 5}, 1},
    {{TRACE_EVENT_EXTENDED | 200 << 4 | 1 << 12, 5}, 1},
    {{TRACE_EVENT_EXTENDED | TRACE_EXTENDED_READING << 4 | 255 << 12, 5}, 1},
    {{TRACE_EVENT_EXTENDED | TRACE_EXTENDED_METRIC << 4 | 1 << 12, 5}, 1},
    {{TRACE_EVENT_DRAWN, 5, TRACE_EVENT_FREE | 9 << TRACE_KIND_BITS}, 1},
    {{TRACE_EVENT_DRAWN, 5, TRACE_EVENT_MALLOC}, 1},
};

START_TEST(reader_goes_on_in_the_next_chunk_after_a_record_of_no_sense)
{
    struct trace_builder builder;
    struct reader reader;
    struct merge merge;
    const struct reader_event *event;
    unsigned count = 0;

    build_chunks(&builder, 1);
    trace_builder_add(&builder, record_cases[_i].words, sizeof record_cases[_i].words);
    trace_builder_block(&builder, TRACE_EVENT_MALLOC, 2100, 0x5000, 1);
    trace_builder_chunk(&builder, TRACE_EVENTS, 1, 1, CHUNK_SIZE, 3000);
    trace_builder_block(&builder, TRACE_EVENT_MALLOC, 3008, 0x6000, 1);
    open_merge(&builder, &reader, &merge);
    while ((event = merge_next(&merge))) {
        ck_assert_uint_ne(event->address, 0x5000);
        count++;
    }
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(merge.bad_records, record_cases[_i].bad);
    close_merge(&builder, &reader, &merge);
}
END_TEST

/* The size of a large block, or the words of a reading, beyond the
 * last byte that was published. */
START_TEST(reader_stops_at_a_record_that_its_chunk_cuts_off)
{
    struct trace_builder builder;
    struct reader reader;
    struct merge merge;
    const uint64_t words[BUILDER_READING_WORDS] = {0};

    build_chunks(&builder, 1);
    if (_i == 0)
        trace_builder_block(&builder, TRACE_EVENT_MALLOC, 2100, 0x50, TRACE_SIZE_LARGE);
    else
        trace_builder_extended(&builder, 2100, TRACE_EXTENDED_READING, words,
                               BUILDER_READING_WORDS);
    trace_builder_head(&builder)->used -= TRACE_WORD_SIZE;
    open_merge(&builder, &reader, &merge);
    ck_assert_ptr_nonnull(merge_next(&merge));
    ck_assert_ptr_null(merge_next(&merge));
    ck_assert_uint_eq(merge.bad_records, 1);
    close_merge(&builder, &reader, &merge);
}
END_TEST

START_TEST(reader_merges_lanes_by_time_and_ties_by_lane)
{
    enum { LANES = 7, EACH = 3000 };
    struct trace_builder builder;
    struct reader reader;
    struct merge merge;
    const struct reader_event *event;
    unsigned count = 0;

    trace_builder_init(&builder);
    for (uint32_t lane = LANES; lane > 0; lane--) {
        trace_builder_chunk(&builder, TRACE_EVENTS, lane, 0,
                            (2 * EACH * TRACE_WORD_SIZE / 4096 + 2) * 4096, 2000);
        for (uint32_t i = 0; i < EACH; i++)
            trace_builder_call(&builder, TRACE_EVENT_ENTER, 2000 + i * (lane % 3 + 1), 1, i);
    }
    open_merge(&builder, &reader, &merge);
    uint64_t duration[LANES + 1] = {0};
    struct reader_event last = {0};
    for (; (event = merge_next(&merge)); count++, last = *event) {
        uint32_t lane = merge_lane(&merge, event->source);

        ck_assert(event->ticks > last.ticks ||
                  (event->ticks == last.ticks && event->source >= last.source));
        ck_assert_uint_eq(event->duration, duration[lane]++);
    }
    ck_assert_uint_eq(count, LANES * EACH);
    close_merge(&builder, &reader, &merge);
}
END_TEST

/* Larger than a window, with records of any size across its borders. */
START_TEST(reader_decodes_records_that_lie_across_windows)
{
    enum { COUNT = 20000 };
    struct trace_builder builder;
    struct reader reader;
    struct merge merge;
    uint64_t words[1 + BUILDER_READING_WORDS] = {0};

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_EVENTS, 1, 0, 2 << 20, 2000);
    for (uint64_t i = 0; i < COUNT; i++) {
        words[BUILDER_READING_WORDS] = i;
        if (i % 3 == 0)
            trace_builder_extended(&builder, 2000 + 16 * i, TRACE_EXTENDED_SNAPSHOT, words,
                                   1 + BUILDER_READING_WORDS);
        else
            trace_builder_block(&builder, TRACE_EVENT_MALLOC, 2000 + 16 * i, 0x10,
                                TRACE_SIZE_LARGE + i);
    }
    open_merge(&builder, &reader, &merge);
    for (uint64_t i = 0; i < COUNT; i++) {
        const struct reader_event *event = merge_next(&merge);

        ck_assert_ptr_nonnull(event);
        ck_assert_uint_eq(event->ticks, 2000 + 16 * i);
        ck_assert_uint_eq(
            i % 3 == 0 ? event->words[BUILDER_READING_WORDS] : event->size - TRACE_SIZE_LARGE, i);
    }
    ck_assert_ptr_null(merge_next(&merge));
    ck_assert_uint_eq(merge.bad_records, 0);
    close_merge(&builder, &reader, &merge);
}
END_TEST

START_TEST(reader_leaves_out_a_chunk_that_was_reused_since_it_was_opened)
{
    struct trace_builder builder;
    struct reader reader;
    struct merge merge;
    char path[BUILDER_PATH_SIZE];
    struct diagnostic diagnostic;

    build_chunks(&builder, 2);
    trace_builder_write(&builder, builder.size, path);
    ck_assert_int_eq(reader_open(&reader, path, &diagnostic), STATUS_OK);
    FILE *file = fopen(path, "r+b");
    uint32_t sequence = 77;
    ck_assert_ptr_nonnull(file);
    fseek(file, TRACE_HEADER_SIZE + offsetof(struct trace_chunk, sequence), SEEK_SET);
    fwrite(&sequence, sizeof sequence, 1, file);
    fclose(file);
    merge_open(&merge, &reader);
    ck_assert_uint_eq(merge_next(&merge)->size, 11);
    ck_assert_ptr_null(merge_next(&merge));
    ck_assert_uint_eq(merge.torn_chunks, 1);
    unlink(path);
    close_merge(&builder, &reader, &merge);
}
END_TEST

static void add_chunk_tests(TCase *tests)
{
    tcase_add_loop_test(tests, reader_names_the_byte_of_a_header_that_it_refuses, 0,
                        sizeof header_cases / sizeof *header_cases);
    tcase_add_loop_test(tests, reader_refuses_what_is_no_regular_file, 0,
                        sizeof path_cases / sizeof *path_cases);
    tcase_add_loop_test(tests, reader_tells_where_a_short_file_ends, 0,
                        sizeof short_cases / sizeof *short_cases);
    tcase_add_loop_test(tests, reader_loses_no_more_than_the_chunk_whose_head_is_damaged, 0,
                        sizeof head_cases / sizeof *head_cases);
    tcase_add_test(tests, reader_counts_no_loss_in_space_that_was_not_yet_claimed);
    tcase_add_test(tests, reader_misses_no_chunk_that_a_capacity_took);
}

static void add_event_tests(TCase *tests)
{
    tcase_add_test(tests, reader_gives_back_every_field_of_every_sort_of_record);
    tcase_add_loop_test(tests, reader_gives_back_a_drawn_block_as_the_kind_that_it_is, 0,
                        sizeof drawn_cases / sizeof *drawn_cases);
    tcase_add_loop_test(tests, reader_goes_on_in_the_next_chunk_after_a_record_of_no_sense, 0,
                        sizeof record_cases / sizeof *record_cases);
    tcase_add_loop_test(tests, reader_stops_at_a_record_that_its_chunk_cuts_off, 0, 2);
    tcase_add_test(tests, reader_merges_lanes_by_time_and_ties_by_lane);
    tcase_add_test(tests, reader_decodes_records_that_lie_across_windows);
    tcase_add_test(tests, reader_leaves_out_a_chunk_that_was_reused_since_it_was_opened);
}

int check_reader(void)
{
    Suite *suite = suite_create("reader");
    TCase *tests = tcase_create("reader");

    add_chunk_tests(tests);
    add_event_tests(tests);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
