/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of oneDNN's log, of versions 1 to 3:
 *   dnnl_verbose,exec,cpu,matmul,IMPLEMENTATION,PROPAGATION,TENSORS,ATTRIBUTES,AUXILIARY,PROBLEM,MS
 *   onednn_verbose,v1,TIME,primitive,exec,cpu,matmul,...
 *
 * Source: doc/advanced/verbose.md of https://github.com/uxlfoundation/oneDNN.
 */
#include "base/memory.h"
#include "import/import.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/onednn.h"
#include "import/texts.h"
#include "import/trace.h"
#include "spec/catalog_read.h"

enum problem { TERMS, MATRICES, DIMENSIONS };

static const struct kind {
    const char *name, *kernel;
    enum problem problem;
} kinds[] = {
#define KIND(name, problem, kernel) {name, kernel, problem},
#include "import/onednn_kinds.def"
#undef KIND
};

enum { FIELDS_MOST = 24, FIELDS_AFTER = 9, LENGTHS_MOST = 12 };
enum {
    ENGINE = 1,
    KIND_NAME,
    IMPLEMENTATION,
    PROPAGATION,
    TENSORS,
    ATTRIBUTES,
    AUXILIARY,
    PROBLEM,
    MS
};

struct line {
    char *fields[FIELDS_MOST];
    size_t count;
    char **exec;    /* the field "exec"; other fields are counted from it */
    double time_ms; /* since 1970; NAN: unknown */
};

struct reading {
    struct catalog catalog;
    struct catalog_arena arena;
    struct import_trace *trace;
    uint64_t now_ns; /* the end of the last call */
    uint64_t calls;
    uint64_t unknown_calls; /* calls of unknown work */
    uint64_t bad_lines;     /* lines of the log that are truncated or of another version */
    bool has_times;         /* lines have times */
};

/* ---- lines ------------------------------------------------------------------------------- */

static bool is_number(const char *text, double *number)
{
    char *end;

    *number = strtod(text, &end);
    return end != text && *end == 0 && isfinite(*number) && *number >= 0;
}

/* Cuts a line at its commas.  Returns: whether the line belongs to the log. */
static bool split(struct line *line, char *text)
{
    *line = (struct line){.time_ms = (double)NAN};
    text[strcspn(text, "\r\n")] = 0;
    for (char *field; line->count < FIELDS_MOST && (field = strsep(&text, ","));)
        line->fields[line->count++] = field;
    if (line->count < 2 || !strstr(line->fields[0], "_verbose"))
        return false;
    for (size_t i = 1; i < line->count && i < 5 && !line->exec; i++) {
        double number;

        if (strcmp(line->fields[i], "exec") == 0)
            line->exec = &line->fields[i];
        else if (is_number(line->fields[i], &number))
            line->time_ms = number;
    }
    return true;
}

/* ---- shapes -------------------------------------------------------------------------------- */

static bool set_term(struct import_shape *shape, const char *name, size_t length, int64_t value)
{
    for (unsigned i = 0; i < shape->kernel->shape_count; i++)
        if (strlen(shape->kernel->shape[i].name) == length &&
            strncmp(shape->kernel->shape[i].name, name, length) == 0) {
            shape->values[i] = value;
            return true;
        }
    return false;
}

static bool set(struct import_shape *shape, const char *name, int64_t value)
{
    return set_term(shape, name, strlen(name), value);
}

/* "g3mb2_ic6oc12": terms that the catalog lacks add no information. */
static bool read_terms(struct import_shape *shape, const char *problem)
{
    size_t known = 0;

    while (*problem) {
        size_t length;
        char *end;

        problem += strspn(problem, "_");
        for (length = 0; isalpha((unsigned char)problem[length]); length++)
            ;
        if (length == 0 || !isdigit((unsigned char)problem[length]))
            return *problem == 0 && known > 0;
        known += set_term(shape, problem, length, strtoll(problem + length, &end, 10));
        problem = end;
    }
    return known > 0;
}

/* "6x4x6".  Returns: the number of lengths; 0: the text is not like this, or has too many. */
static size_t read_lengths(const char **text, int64_t lengths[LENGTHS_MOST])
{
    for (size_t count = 0; count < LENGTHS_MOST;) {
        char *end;

        if (!isdigit((unsigned char)**text))
            return 0;
        lengths[count++] = strtoll(*text, &end, 10);
        *text = end;
        if (**text != 'x')
            return count;
        ++*text;
    }
    return 0;
}

/* For two tensors: if the batch is 1 in one of them, the other has the real size. */
static bool read_matrices(struct import_shape *shape, const char *problem)
{
    int64_t left[LENGTHS_MOST], right[LENGTHS_MOST], batch = 1;
    size_t count = read_lengths(&problem, left);

    if (count < 2 || *problem++ != ':' || read_lengths(&problem, right) != count ||
        left[count - 1] != right[count - 2])
        return false;
    for (size_t i = 0; i + 2 < count; i++)
        batch *= left[i] > right[i] ? left[i] : right[i];
    return set(shape, "b", batch) && set(shape, "m", left[count - 2]) &&
           set(shape, "n", right[count - 1]) && set(shape, "k", left[count - 1]);
}

static bool read_dimensions(struct import_shape *shape, const char *problem)
{
    int64_t lengths[LENGTHS_MOST], elements = 1;
    size_t count = read_lengths(&problem, lengths);

    if (count == 0 || count > 6)
        return false;
    for (size_t i = 0; i < count; i++) {
        const char name[] = {'d', (char)('0' + i), 0};

        elements *= lengths[i];
        if (!set(shape, name, lengths[i]))
            return false;
    }
    (void)set(shape, "elements", elements);
    return true;
}

/* The type of "src_f32::blocked:ab:f0", or of "src:f32::blocked:ab::f0"; "" when there is none. */
static void find_type(const char *tensors, const char *tensor, char type[16])
{
    const char *found = strstr(tensors, tensor);
    size_t size = 0;

    found = found ? found + strlen(tensor) + 1 : "";
    while (size < 15 && isalnum((unsigned char)*found))
        type[size++] = *found++;
    type[size] = 0;
    if (strcmp(type, "undef") == 0)
        type[0] = 0;
}

/* In the shim's format: "f32", "bf16:f32", "f16+s8", "u8s8s32". */
static void set_types(struct import_shape *shape, const char *tensors)
{
    char source[16], weights[16], result[16], all[64];

    find_type(tensors, "src", source);
    find_type(tensors, "wei", weights);
    find_type(tensors, "dst", result);
    if (!source[0])
        find_type(tensors, "data", source);
    if (!weights[0])
        strcpy(weights, source);
    if (!result[0])
        strcpy(result, source);
    if (strcmp(source, weights) == 0)
        snprintf(all, sizeof all, strcmp(source, result) == 0 ? "%s" : "%s:%s", source, result);
    else if (strcmp(source, result) == 0)
        snprintf(all, sizeof all, "%s+%s", source, weights);
    else
        snprintf(all, sizeof all, "%s%s%s", source, weights, result);
    (void)set(shape, "types", catalog_pack_text(all));
}

static void set_algorithm(struct import_shape *shape, const char *auxiliary)
{
    const char *found = strstr(auxiliary, "alg:");
    char name[64] = "";

    if (found)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(found + 4, " "), found + 4);
    if (strncmp(name, "eltwise_", 8) == 0)
        memmove(name, name + 8, strlen(name + 8) + 1);
    (void)set(shape, "alg", catalog_pack_text(name));
}

static const struct catalog_kernel *find_kernel(const struct catalog *catalog, const char *name,
                                                const char *propagation)
{
    char whole[96];
    const char *suffix = strcmp(propagation, "backward_data") == 0      ? "_backward_data"
                         : strcmp(propagation, "backward_weights") == 0 ? "_backward_weights"
                         : strncmp(propagation, "backward", 8) == 0     ? "_backward"
                                                                        : "";

    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    for (unsigned i = 0; i < catalog->kernel_count; i++)
        if (strcmp(catalog->kernels[i].name, whole) == 0)
            return &catalog->kernels[i];
    return suffix[0] ? find_kernel(catalog, name, "backward") : NULL;
}

static bool read_problem(struct import_shape *shape, enum problem problem, const char *text)
{
    switch (problem) {
    case TERMS: return read_terms(shape, text);
    case MATRICES: return read_matrices(shape, text);
    case DIMENSIONS: return read_dimensions(shape, text);
    }
    return false;
}

/* A convolution that is fused as a second one is not on its line. */
static bool read_shape(struct reading *reading, const struct line *line, struct import_shape *shape)
{
    const struct kind *kind = kinds, *end = kinds + sizeof kinds / sizeof *kinds;

    while (kind < end && strcmp(kind->name, line->exec[KIND_NAME]) != 0)
        kind++;
    if (kind == end || strstr(line->exec[ATTRIBUTES], "dw:"))
        return false;
    shape->kernel = find_kernel(&reading->catalog, kind->kernel,
                                strcmp(kind->name, "eltwise") == 0 &&
                                        strncmp(line->exec[PROPAGATION], "backward", 8) == 0
                                    ? "backward"
                                    : line->exec[PROPAGATION]);
    if (!shape->kernel)
        return false;
    for (unsigned i = 0; i < shape->kernel->shape_count; i++)
        shape->values[i] = shape->kernel->shape[i].has_usual ? shape->kernel->shape[i].usual
                                                             : CATALOG_NO_VALUE;
    set_types(shape, line->exec[TENSORS]);
    set_algorithm(shape, line->exec[AUXILIARY]);
    return read_problem(shape, kind->problem, line->exec[PROBLEM]);
}

/* ---- the log ------------------------------------------------------------------------------- */

/* The time of a line is the start of its call.  Without one, a call starts when the last one
 * ended. */
static void add_call(struct reading *reading, const struct line *line, double ms)
{
    struct import_shape shape = {.implementation = line->exec[IMPLEMENTATION]};
    uint64_t start_ns = reading->now_ns;

    if (!read_shape(reading, line, &shape)) {
        shape.kernel = NULL;
        reading->unknown_calls++;
    }
    if (!isnan(line->time_ms)) {
        uint64_t told_ns = (uint64_t)(line->time_ms * 1e6);

        if (!reading->has_times)
            reading->trace->realtime_ns = told_ns;
        reading->has_times = true;
        start_ns = told_ns > start_ns ? told_ns : start_ns;
    }
    reading->now_ns = start_ns + (uint64_t)llround(ms * 1e6);
    reading->calls++;
    import_trace_call(reading->trace, &shape, start_ns, reading->now_ns);
}

static void take_line(struct reading *reading, char *text)
{
    struct line line;
    double ms;

    if (!split(&line, text) || !line.exec)
        return;
    if ((size_t)(line.exec - line.fields) + FIELDS_AFTER + 1 != line.count ||
        !is_number(line.exec[MS], &ms) || ms > 1e9)
        reading->bad_lines++;
    else
        add_call(reading, &line, ms);
}

static void read_log(struct reading *reading, FILE *log)
{
    char *text = NULL;
    size_t size = 0;

    while (getline(&text, &size, log) >= 0)
        take_line(reading, text);
    free(text);
}

static void tell(const struct reading *reading, struct text_list *notes)
{
    if (reading->bad_lines > 0)
        text_list_say(notes, onednn_bad_lines_text, said_count(reading->bad_lines));
    if (reading->unknown_calls > 0)
        text_list_say(notes, onednn_unknown_calls_text, said_count(reading->unknown_calls));
    if (!reading->has_times)
        text_list_say(notes, onednn_no_times_text);
}

static enum status read_all(struct reading *reading, struct import_reading *of)
{
    import_trace_catalog(of->trace, &reading->catalog, onednn_catalog, "dnnl_primitive_execute");
    import_trace_thread(of->trace, of->trace->pid);
    read_log(reading, of->log);
    if (reading->calls > 0) {
        tell(reading, of->notes);
        return STATUS_OK;
    }
    return diagnostic_set(of->diagnostic, STATUS_CORRUPT,
                          reading->bad_lines > 0
                              ? "import: its lines are cut, or of another version: expected the "
                                "log of oneDNN 1 to 3"
                              : "import: expected lines of DNNL_VERBOSE=1, found none");
}

bool onednn_knows(const char *bytes)
{
    return strstr(bytes, "dnnl_verbose,") || strstr(bytes, "onednn_verbose,");
}

enum status onednn_read(struct import_reading *of)
{
    struct reading reading = {.trace = of->trace};
    struct catalog_error error;
    enum status status;

    reading.arena = (struct catalog_arena){memory_get(CATALOG_ARENA_SIZE), CATALOG_ARENA_SIZE, 0};
    if (!catalog_read(&reading.catalog, &reading.arena, onednn_catalog, strlen(onednn_catalog),
                      &error))
        memory_ran_out(); /* the catalog is ours, and its tests read it */
    status = read_all(&reading, of);
    free(reading.arena.base);
    return status;
}
