/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands for benchdnn, and lines of a GEMM driver.
 *
 * A line represents calls whose FLOPs are those of the line.  A shape that no line can express is
 * left out and counted.
 */
#include "export/shapes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "kernels/groups.h"
#include "kernels/kernel_precision.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/slots.h"

/* Appends the command of a row.  Returns: whether there is one. */
typedef bool (*appender)(struct text *line, const struct session *session,
                         const struct group *group);

/* ---- benchdnn ----------------------------------------------------------------------------- */

static const struct driver {
    const char *kernel, *name, *options, *terms;
} drivers[] = {
#define BENCHDNN(kernel, driver, options, terms) {#kernel, driver, options, terms},
#include "export/benchdnn.def"
#undef BENCHDNN
};

static const struct type {
    const char *ours, *theirs;
} types[] = {
#define TYPE(ours, theirs) {ours, theirs},
#include "export/benchdnn.def"
#undef TYPE
};

/* Returns: the value of a term in a shape such as "m=64 types=f32"; NULL when the shape lacks the
 * term. */
static const char *find_term(const char *shape, const char *name, size_t length)
{
    while (*shape) {
        if (strncmp(shape, name, length) == 0 && shape[length] == '=')
            return shape + length + 1;
        shape += strcspn(shape, " ");
        shape += *shape == ' ';
    }
    return NULL;
}

static const struct type *read_type(const char **text)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t length = strlen(types[i].ours);

        if (strncmp(*text, types[i].ours, length) != 0)
            continue;
        *text += length;
        return &types[i];
    }
    return NULL;
}

/* Reads "f32", "bf16:f32", "f16+s8" or "u8s8s32", as in the catalog: types of source, weights and
 * result.  Returns: whether the types are known. */
static bool read_types(const char *text, const struct type *of[3])
{
    char sign;

    of[0] = of[1] = of[2] = read_type(&text);
    sign = *text;
    if (!of[0] || sign == ' ' || sign == 0)
        return of[0];
    text += sign == ':' || sign == '+';
    if (sign != ':')
        of[1] = read_type(&text);
    if (sign != '+')
        of[2] = read_type(&text);
    return of[1] && of[2] && (*text == ' ' || *text == 0);
}

/* Products have a type for each matrix; a single type is enough if all tensors share it. */
static bool append_types(struct text *line, const char *shape, bool has_weights)
{
    const char *text = find_term(shape, "types", strlen("types"));
    const struct type *of[3];

    if (!text || !read_types(text, of))
        return false;
    if (of[0] == of[1] && of[1] == of[2])
        text_appendf(line, " --dt=%s", of[0]->theirs);
    else if (has_weights)
        text_appendf(line, " --dt=%s:%s:%s", of[0]->theirs, of[1]->theirs, of[2]->theirs);
    else
        text_appendf(line, " --dt=%s:%s", of[0]->theirs, of[2]->theirs);
    return true;
}

/* The lengths of dimensions d0, d1 ...: "128x512". */
static void append_dimensions(struct text *line, const char *shape)
{
    for (int i = 0; i < 6; i++) {
        char name[4];
        const char *value;

        (void)snprintf(name, sizeof name, "d%d", i);
        value = find_term(shape, name, 2);
        if (!value)
            return;
        text_append(line, i > 0 ? "x" : " ");
        text_append_bytes(line, value, strspn(value, "0123456789"));
    }
}

/* Each term as "mb2"; for a missing term, benchdnn's default holds. */
static void append_terms(struct text *line, const char *shape, const char *terms)
{
    text_append(line, " ");
    while (*terms) {
        size_t size = strcspn(terms, ","), own = strcspn(terms, ",:");
        const char *value = find_term(shape, terms, own);

        if (value) {
            const char *name = own < size ? terms + own + 1 : terms;

            text_append_bytes(line, name, (size_t)(terms + size - name));
            text_append_bytes(line, value, strspn(value, "0123456789"));
        }
        terms += size;
        terms += *terms == ',';
    }
}

static const struct driver *find_driver(const char *kernel)
{
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (strcmp(drivers[i].kernel, kernel) == 0)
            return &drivers[i];
    return NULL;
}

static bool append_primitive(struct text *line, const struct driver *driver, const char *shape)
{
    const char *algorithm = find_term(shape, "alg", strlen("alg"));
    bool has_weights = driver->terms && !strstr(driver->name, "norm");

    text_appendf(line, "benchdnn --mode=P --%s %s", driver->name, driver->options);
    if (algorithm) {
        text_append(line, " --alg=");
        text_append_bytes(line, algorithm, strcspn(algorithm, " "));
    }
    if (!append_types(line, shape, has_weights))
        return false;
    if (driver->terms)
        append_terms(line, shape, driver->terms);
    else
        append_dimensions(line, shape);
    return true;
}

/* The precision of a BLAS kernel, as benchdnn and as BLAS call it. */
static const struct precision {
    const char *types, *routine;
} precisions[MACHINE_PRECISIONS] = {
    [MACHINE_F32] = {"f32", "sgemm"},
    [MACHINE_F64] = {"f64", "dgemm"},
    [MACHINE_BF16] = {"bf16:bf16:f32", "sbgemm"},
};

/* Returns: NULL when the precision has no name there or is unknown. */
static const struct precision *find_precision(const struct group *group)
{
    enum machine_precision precision = kernel_precision_of(group);

    return precision < MACHINE_PRECISIONS && precisions[precision].types ? &precisions[precision]
                                                                         : NULL;
}

/* Returns: whether a call of the row is a real product, or some, and no other work. */
static bool find_product(const struct session *session, const struct group *group,
                         struct slots_product *product)
{
    const struct session_slot *slot = session_slot_at(session, group->slot);
    const char *name = group_name(group);

    return (strstr(name, "gemm") || strstr(name, "matmul")) && slots_find_product(slot, product) &&
           !product->is_complex &&
           2.0L * product->m * product->n * product->k * product->count == slot->flops_each;
}

static bool append_product(struct text *line, const struct session *session,
                           const struct group *group)
{
    const struct precision *precision = find_precision(group);
    struct slots_product of;
    char batch[24] = "";

    if (!find_product(session, group, &of))
        return false;
    text_append(line, "benchdnn --mode=P --matmul");
    if (!append_types(line, group->shape, true)) {
        if (!precision)
            return false;
        text_appendf(line, " --dt=%s", precision->types);
    }
    if (of.count > 1)
        (void)snprintf(batch, sizeof batch, "%" PRIu64 "x", of.count);
    text_appendf(line, " %s%" PRId64 "x%" PRId64 ":%s%" PRId64 "x%" PRId64, batch, of.m, of.k,
                 batch, of.k, of.n);
    return true;
}

static bool append_benchdnn(struct text *line, const struct session *session,
                            const struct group *group)
{
    const struct driver *driver = find_driver(group_name(group));

    return driver ? append_primitive(line, driver, group->shape)
                  : append_product(line, session, group);
}

/* ---- GEMM ---------------------------------------------------------------------------------- */

static bool append_gemm(struct text *line, const struct session *session,
                        const struct group *group)
{
    const struct precision *precision = find_precision(group);
    struct slots_product of;

    if (!precision || !find_product(session, group, &of))
        return false;
    text_appendf(line, "%s %" PRId64 " %" PRId64 " %" PRId64 " N N ", precision->routine, of.m,
                 of.n, of.k);
    text_appendf(line, "%" PRId64 " %" PRId64 " %" PRId64, of.m, of.k, of.m);
    if (of.count > 1)
        text_appendf(line, " batch %" PRIu64, of.count);
    return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void append_comment(struct text *line, const struct group *group, uint64_t kernel_ns)
{
    double share = kernel_ns > 0 ? (double)group->self_ns / (double)kernel_ns : (double)NAN;
    char percent[UNITS_SIZE];

    text_appendf(line, "  # %" PRIu64 " call%s, %s of the time in kernels", group->owning_calls,
                 group->owning_calls == 1 ? "" : "s", units_format_percent(percent, share));
    if (!isnan(group->flops))
        text_appendf(line, ", %.0Lf FLOPs", group->flops);
    text_appendf(line, ": %s %s\n", group_name(group), group->shape);
}

/* Returns: whether the row has a line. */
static bool write_row(const struct groups *groups, const struct session *session, size_t index,
                      appender append, struct text *line)
{
    const struct group *group = array_at(&groups->rows, index);

    text_clear(line);
    if (!append(line, session, group))
        return false;
    append_comment(line, group, groups->self_ns);
    return true;
}

static void write_rows(const struct groups *groups, const struct session *session, appender append,
                       FILE *out, struct shapes_gaps *gaps)
{
    struct text line;

    text_init(&line);
    for (size_t i = 0; i < groups->own_rows; i++) {
        const struct group *group = array_at(&groups->rows, i);

        if (group->owning_calls == 0)
            continue;
        if (write_row(groups, session, i, append, &line)) {
            fwrite(line.bytes, 1, line.size, out);
        } else if (groups->self_ns > 0) {
            gaps->rows++;
            gaps->share += (double)group->self_ns / (double)groups->self_ns;
        }
    }
}

static void write_shapes(const struct session *session, const struct analysis_options *options,
                         appender append, FILE *out, struct shapes_gaps *gaps)
{
    struct groups groups;

    groups_init(&groups, session, options);
    write_rows(&groups, session, append, out, gaps);
}

void export_benchdnn(const struct session *session, const struct analysis_options *options,
                     FILE *out, struct shapes_gaps *gaps)
{
    write_shapes(session, options, append_benchdnn, out, gaps);
}

void export_gemm(const struct session *session, const struct analysis_options *options, FILE *out,
                 struct shapes_gaps *gaps)
{
    fputs("# routine m n k transa transb lda ldb ldc\n"
          "# A trace has the sizes alone: "
          "all are taken for columns one after another, as they are.\n",
          out);
    write_shapes(session, options, append_gemm, out, gaps);
}
