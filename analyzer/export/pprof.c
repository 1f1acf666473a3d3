/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The format of pprof: all weights of a stack in one sample.
 *
 * Source: https://github.com/google/pprof/blob/main/proto/profile.proto, the source of the field
 * numbers.  The specification asks for a file compressed by gzip, which its caller does.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_TEXT = 2 };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4 };

struct writer {
    const struct export_stacks *stacks;
    FILE *out;
    struct text message, inner, valid;
    struct text_index strings, functions, libraries, locations; /* numbers; ids are one more */
    long string_count, function_count, library_count, location_count;
};

/* A message of the profile goes to the file. */
static void put(struct writer *writer, unsigned field)
{
    struct text whole;

    text_init(&whole);
    protobuf_message(&whole, field, &writer->message);
    fwrite(whole.bytes, 1, whole.size, writer->out);
    text_fini(&whole);
    text_clear(&writer->message);
}

static void put_number(struct writer *writer, unsigned field, uint64_t number)
{
    struct text whole;

    text_init(&whole);
    protobuf_number(&whole, field, number);
    fwrite(whole.bytes, 1, whole.size, writer->out);
    text_fini(&whole);
}

/* Returns: the number of a text in an index; `is_new`: the text was not in the index. */
static uint64_t find_text(struct text_index *index, long *count, const struct text *text,
                          bool *is_new)
{
    long number = text_index_add(index, text);

    *is_new = number == *count;
    *count += *is_new;
    return (uint64_t)number;
}

/* Returns: the number of a string, which is written if it is new.  The first string is "". */
static uint64_t find_string(struct writer *writer, const char *string)
{
    uint64_t number;
    bool is_new;

    text_clear(&writer->valid);
    utf8_append_valid(&writer->valid, string);
    number = find_text(&writer->strings, &writer->string_count, &writer->valid, &is_new);
    if (is_new) {
        struct text whole;

        text_init(&whole);
        protobuf_bytes(&whole, STRING, writer->valid.bytes, writer->valid.size);
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

/* Returns: the id of a library; 0 without a library. */
static uint64_t find_mapping(struct writer *writer, const char *library)
{
    uint64_t id, file;
    bool is_new;

    if (!library)
        return 0;
    text_clear(&writer->inner);
    text_append(&writer->inner, library);
    id = 1 + find_text(&writer->libraries, &writer->library_count, &writer->inner, &is_new);
    if (!is_new)
        return id;
    file = find_string(writer, library);
    protobuf_number(&writer->message, MAPPING_ID, id);
    protobuf_number(&writer->message, MAPPING_FILE, file);
    protobuf_number(&writer->message, MAPPING_HAS_FUNCTIONS, true);
    put(writer, MAPPING);
    return id;
}

static uint64_t find_function(struct writer *writer, const struct call_frame *frame)
{
    const char *file = frame->file ? frame->file : "";
    uint64_t id, name_id, file_id;
    bool is_new;

    text_clear(&writer->inner);
    text_index_append_part(&writer->inner, frame->name);
    text_index_append_part(&writer->inner, file);
    id = 1 + find_text(&writer->functions, &writer->function_count, &writer->inner, &is_new);
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

static const struct call_frame *frame_at(const struct writer *writer, uint64_t number)
{
    return call_frames_at(&writer->stacks->tree.frames, number);
}

/* A function, and the functions inlined into it, are the lines of one location. */
static void write_location(struct writer *writer, uint64_t id, const uint64_t *numbers,
                           size_t count)
{
    uint64_t mapping = find_mapping(writer, frame_at(writer, numbers[count - 1])->library);
    uint64_t *functions = memory_get_zeros(count, sizeof *functions);

    for (size_t i = 0; i < count; i++)
        functions[i] = find_function(writer, frame_at(writer, numbers[i]));
    protobuf_number(&writer->message, LOCATION_ID, id);
    protobuf_number(&writer->message, LOCATION_MAPPING, mapping);
    for (size_t i = 0; i < count; i++) {
        text_clear(&writer->inner);
        protobuf_number(&writer->inner, LINE_FUNCTION, functions[i]);
        protobuf_number(&writer->inner, LINE_NUMBER, frame_at(writer, numbers[i])->line);
        protobuf_message(&writer->message, LOCATION_LINE, &writer->inner);
    }
    put(writer, LOCATION);
    free(functions);
}

/* Returns: the id of a location of frames, the innermost first; the location is written if it is
 * new. */
static uint64_t find_location(struct writer *writer, const uint64_t *numbers, size_t count)
{
    uint64_t id;
    bool is_new;

    text_clear(&writer->inner);
    for (size_t i = 0; i < count; i++)
        text_appendf(&writer->inner, "%" PRIu64 ",", numbers[i]);
    id = 1 + find_text(&writer->locations, &writer->location_count, &writer->inner, &is_new);
    if (is_new)
        write_location(writer, id, numbers, count);
    return id;
}

/* Replaces the frames in the array by locations.  Returns: the number of locations. */
static size_t find_locations(struct writer *writer, uint64_t *numbers, size_t count)
{
    size_t found = 0;

    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && frame_at(writer, numbers[end - 1])->is_inlined; end++)
            ;
        numbers[found++] = find_location(writer, &numbers[i], end - i);
    }
    return found;
}

static void append_labels(struct writer *writer, const struct call_frame *frame)
{
    for (enum call_label i = 0; i < CALL_LABELS; i++) {
        uint64_t key, text;

        if (!frame->labels[i])
            continue;
        key = find_string(writer, call_label_name(i));
        text = find_string(writer, frame->labels[i]);
        text_clear(&writer->inner);
        protobuf_number(&writer->inner, LABEL_KEY, key);
        protobuf_number(&writer->inner, LABEL_TEXT, text);
        protobuf_message(&writer->message, SAMPLE_LABEL, &writer->inner);
    }
}

/* Writes the innermost frame first; the outermost may be the labels. */
static void write_sample(struct writer *writer, const struct call_node *stack,
                         const uint64_t *values, size_t count)
{
    uint64_t *locations = memory_get_zeros(stack->depth, sizeof *locations);
    size_t i = 0;
    const struct call_frame *labels = NULL;

    for (; stack->parent; stack = stack->parent) {
        const struct call_frame *frame = call_tree_frame(&writer->stacks->tree, stack);

        if (frame->kind == CALL_FRAME_LABELS)
            labels = frame;
        else
            locations[i++] = stack->name;
    }
    i = find_locations(writer, locations, i);
    protobuf_numbers(&writer->message, SAMPLE_LOCATIONS, locations, i);
    protobuf_numbers(&writer->message, SAMPLE_VALUES, values, count);
    if (labels)
        append_labels(writer, labels);
    put(writer, SAMPLE);
    free(locations);
}

static void write_samples(struct writer *writer)
{
    const struct export_stacks *stacks = writer->stacks;
    struct export_rounding rounding[EXPORT_WEIGHTS] = {0};

    for (size_t i = stacks->tree.count; i-- > 0;) {
        const struct call_node *stack = call_tree_at(&stacks->tree, i);
        uint64_t values[EXPORT_WEIGHTS], any = 0;
        size_t count = 0;

        for (enum export_weight j = 0; j < EXPORT_WEIGHTS; j++) {
            if (!stacks->has[j])
                continue;
            values[count] = (uint64_t)export_round(&rounding[j], stack->weights[j].own);
            any |= values[count++];
        }
        if (any != 0)
            write_sample(writer, stack, values, count);
    }
}

void export_pprof(const struct export_stacks *stacks, enum export_weight weight, FILE *out)
{
    struct writer writer = {.stacks = stacks, .out = out};

    text_init(&writer.message);
    text_init(&writer.inner);
    text_init(&writer.valid);
    find_string(&writer, "");
    write_types(&writer, weight);
    write_process(&writer);
    write_samples(&writer);
    text_index_fini(&writer.strings);
    text_index_fini(&writer.functions);
    text_index_fini(&writer.libraries);
    text_index_fini(&writer.locations);
    text_fini(&writer.message);
    text_fini(&writer.inner);
    text_fini(&writer.valid);
}
