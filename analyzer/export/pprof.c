/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The format of pprof: all weights of a stack in one sample.
 *
 * Source: https://github.com/google/pprof/blob/main/proto/profile.proto, from which the numbers of
 * the fields are.  It is not compressed; readers of the format take both.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/text_index.h"
#include "base/utf8.h"
#include "export/export.h"
#include "export/protobuf.h"
#include "model/session.h"
#include "model/session_process.h"

/* Fields of a profile. */
enum {
    SAMPLE_TYPE = 1,
    SAMPLE = 2,
    MAPPING = 3,
    LOCATION = 4,
    FUNCTION = 5,
    STRING = 6,
    TIME_NS = 9,
    DURATION_NS = 10,
    PERIOD_TYPE = 11,
    PERIOD = 12,
    DEFAULT_TYPE = 14
};

enum { TYPE_NAME = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2 };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4 };

struct writer {
    const struct export_stacks *stacks;
    FILE *out;
    struct text message, inner, valid;
    struct text_index strings, functions, libraries; /* numbers; ids are one more */
    long string_count, function_count, library_count;
    bool has_no_memory;
};

/* A message of the profile goes to the file. */
static void put(struct writer *writer, unsigned field)
{
    struct text whole;

    text_init(&whole);
    protobuf_message(&whole, field, &writer->message);
    if (text_status(&whole) || text_status(&writer->message))
        writer->has_no_memory = true;
    else
        fwrite(whole.bytes, 1, whole.size, writer->out);
    text_fini(&whole);
    text_clear(&writer->message);
}

static void put_number(struct writer *writer, unsigned field, uint64_t number)
{
    struct text whole;

    text_init(&whole);
    protobuf_number(&whole, field, number);
    if (text_status(&whole))
        writer->has_no_memory = true;
    else
        fwrite(whole.bytes, 1, whole.size, writer->out);
    text_fini(&whole);
}

/* Returns: the number of a text in an index; `is_new` where it was not in there. */
static uint64_t find_text(struct writer *writer, struct text_index *index, long *count,
                          const struct text *text, bool *is_new)
{
    long number = text_index_add(index, text);

    if (number < 0) {
        writer->has_no_memory = true;
        *is_new = false;
        return 0;
    }
    *is_new = number == *count;
    *count += *is_new;
    return (uint64_t)number;
}

/* Returns: the number of a string, which is written when it is new.  The first is "". */
static uint64_t find_string(struct writer *writer, const char *string)
{
    uint64_t number;
    bool is_new;

    text_clear(&writer->valid);
    utf8_append_valid(&writer->valid, string);
    number = find_text(writer, &writer->strings, &writer->string_count, &writer->valid, &is_new);
    if (is_new) {
        struct text whole;

        text_init(&whole);
        protobuf_bytes(&whole, STRING, writer->valid.bytes, writer->valid.size);
        if (text_status(&whole))
            writer->has_no_memory = true;
        else
            fwrite(whole.bytes, 1, whole.size, writer->out);
        text_fini(&whole);
    }
    return number;
}

static void fill_type(struct writer *writer, enum export_weight weight)
{
    const struct export_weight_row *row = export_weight_at(weight);
    uint64_t name = find_string(writer, row->name), unit = find_string(writer, row->unit);

    protobuf_number(&writer->message, TYPE_NAME, name);
    protobuf_number(&writer->message, TYPE_UNIT, unit);
}

static void write_types(struct writer *writer, enum export_weight weight)
{
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++) {
        if (!writer->stacks->has[i])
            continue;
        fill_type(writer, i);
        put(writer, SAMPLE_TYPE);
    }
    put_number(writer, DEFAULT_TYPE, find_string(writer, export_weight_at(weight)->name));
}

static void write_process(struct writer *writer)
{
    const struct session *session = writer->stacks->session;

    put_number(writer, TIME_NS, session->process.realtime_start_ns);
    put_number(writer, DURATION_NS, session->process.wall_ns);
    if (session->sampling.period_ns == 0)
        return;
    fill_type(writer, EXPORT_CPU);
    put(writer, PERIOD_TYPE);
    put_number(writer, PERIOD, session->sampling.period_ns);
}

/* Returns: the id of a library; 0 of none. */
static uint64_t find_mapping(struct writer *writer, const char *library)
{
    uint64_t id, file;
    bool is_new;

    if (!library)
        return 0;
    text_clear(&writer->inner);
    text_append(&writer->inner, library);
    id = 1 + find_text(writer, &writer->libraries, &writer->library_count, &writer->inner, &is_new);
    if (!is_new)
        return id;
    file = find_string(writer, library);
    protobuf_number(&writer->message, MAPPING_ID, id);
    protobuf_number(&writer->message, MAPPING_FILE, file);
    protobuf_number(&writer->message, MAPPING_HAS_FUNCTIONS, true);
    put(writer, MAPPING);
    return id;
}

static uint64_t find_function(struct writer *writer, const struct export_frame *frame)
{
    const char *file = frame->file ? frame->file : "";
    uint64_t id, name_id, file_id;
    bool is_new;

    text_clear(&writer->inner);
    text_index_append_part(&writer->inner, frame->name);
    text_index_append_part(&writer->inner, file);
    id = 1 +
         find_text(writer, &writer->functions, &writer->function_count, &writer->inner, &is_new);
    if (!is_new)
        return id;
    name_id = find_string(writer, frame->name);
    file_id = find_string(writer, file);
    protobuf_number(&writer->message, FUNCTION_ID, id);
    protobuf_number(&writer->message, FUNCTION_NAME, name_id);
    protobuf_number(&writer->message, FUNCTION_SYSTEM_NAME, name_id);
    protobuf_number(&writer->message, FUNCTION_FILE, file_id);
    put(writer, FUNCTION);
    return id;
}

/* Each frame is a location; its id is its number and one. */
static void write_locations(struct writer *writer)
{
    const struct array *frames = &writer->stacks->frames;

    for (size_t i = 0; i < frames->count && !writer->has_no_memory; i++) {
        const struct export_frame *frame = array_at(frames, i);
        uint64_t mapping = find_mapping(writer, frame->library);
        uint64_t function = find_function(writer, frame);

        text_clear(&writer->inner);
        protobuf_number(&writer->inner, LINE_FUNCTION, function);
        protobuf_number(&writer->inner, LINE_NUMBER, frame->line);
        protobuf_number(&writer->message, LOCATION_ID, i + 1);
        protobuf_number(&writer->message, LOCATION_MAPPING, mapping);
        protobuf_message(&writer->message, LOCATION_LINE, &writer->inner);
        put(writer, LOCATION);
    }
}

/* The innermost frame first. */
static void write_sample(struct writer *writer, const struct export_stack *stack,
                         const uint64_t *values, size_t count)
{
    size_t depth = stack->branch.depth, i = 0;
    uint64_t *locations = calloc(depth, sizeof *locations);

    if (!locations) {
        writer->has_no_memory = true;
        return;
    }
    for (; stack && i < depth; stack = export_stack_around(writer->stacks, stack))
        locations[i++] = stack->branch.key.name + 1;
    protobuf_numbers(&writer->message, SAMPLE_LOCATIONS, locations, i);
    protobuf_numbers(&writer->message, SAMPLE_VALUES, values, count);
    put(writer, SAMPLE);
    free(locations);
}

static void write_samples(struct writer *writer)
{
    const struct export_stacks *stacks = writer->stacks;
    struct export_rounding rounding[EXPORT_WEIGHTS] = {0};

    for (size_t i = 0; i < stacks->stacks.count && !writer->has_no_memory; i++) {
        const struct export_stack *stack = export_stack_at(stacks, i);
        uint64_t values[EXPORT_WEIGHTS], any = 0;
        size_t count = 0;

        for (enum export_weight j = 0; j < EXPORT_WEIGHTS; j++) {
            if (!stacks->has[j])
                continue;
            values[count] = (uint64_t)export_round(&rounding[j], stack->weights[j]);
            any |= values[count++];
        }
        if (any != 0)
            write_sample(writer, stack, values, count);
    }
}

enum status export_pprof(const struct export_stacks *stacks, enum export_weight weight, FILE *out)
{
    struct writer writer = {.stacks = stacks, .out = out};

    text_init(&writer.message);
    text_init(&writer.inner);
    text_init(&writer.valid);
    find_string(&writer, "");
    write_types(&writer, weight);
    write_process(&writer);
    write_locations(&writer);
    write_samples(&writer);
    text_index_fini(&writer.strings);
    text_index_fini(&writer.functions);
    text_index_fini(&writer.libraries);
    text_fini(&writer.message);
    text_fini(&writer.inner);
    text_fini(&writer.valid);
    return writer.has_no_memory ? STATUS_OUT_OF_MEMORY : STATUS_OK;
}
