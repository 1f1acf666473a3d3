/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From names to precisions.
 */
#include "kernels/kernel_precision.h"

#include <string.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/slots.h"

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* "types=bf16:f32 mb=1": the first is that of the source. */
static enum machine_precision from_shape(const char *shape)
{
    static const char key[] = "types=";
    const char *types = strstr(shape, key);
    char name[16] = "";

    if (!types || (types != shape && types[-1] != ' '))
        return MACHINE_PRECISIONS;
    types += sizeof key - 1;
    for (size_t i = 0; i + 1 < sizeof name && types[i] && !strchr(":+ ", types[i]); i++)
        name[i] = types[i];
    if (starts_with(name, "s8") || starts_with(name, "u8")) /* "u8s8s32" too */
        return MACHINE_I8;
    return machine_find_precision(name);
}

static enum machine_precision from_letter(char letter)
{
    switch (letter) {
    case 's':
    case 'c': return MACHINE_F32;
    case 'd':
    case 'z': return MACHINE_F64;
    default: return MACHINE_PRECISIONS;
    }
}

struct prefix {
    const char *prefix;
    const char *suffix;
    bool has_letter;
    enum machine_precision precision;
};

static const struct prefix prefixes[] = {
#define PREFIX(prefix, suffix, precision) {prefix, suffix, false, precision},
#define PREFIX_LETTER(prefix, suffix) {prefix, suffix, true, MACHINE_PRECISIONS},
#include "kernels/kernel_prefixes.def"
#undef PREFIX
#undef PREFIX_LETTER
};

static enum machine_precision from_name(const char *symbol)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const struct prefix *row = &prefixes[i];

        if (starts_with(symbol, row->prefix) && text_ends_with(symbol, strlen(symbol), row->suffix))
            return row->has_letter ? from_letter(symbol[strlen(row->prefix)]) : row->precision;
    }
    return MACHINE_PRECISIONS;
}

/* For a user's kernel: the one floating type of its arguments and its result. */
static enum machine_precision from_arguments(const struct catalog_kernel *kernel)
{
    bool has_float = kernel->result == CATALOG_FLOAT;
    bool has_double = kernel->result == CATALOG_DOUBLE;

    for (unsigned i = 0; i < kernel->argument_count; i++) {
        has_float |= kernel->arguments[i].access == CATALOG_FLOAT;
        has_double |= kernel->arguments[i].access == CATALOG_DOUBLE;
    }
    if (has_float == has_double)
        return MACHINE_PRECISIONS;
    return has_float ? MACHINE_F32 : MACHINE_F64;
}

/* Rows of one table have the same numbers. */
_Static_assert((int)CATALOG_PRECISIONS == (int)MACHINE_PRECISIONS, "spec/precisions.def");

static enum machine_precision find(const char *symbol, const char *shape,
                                   const struct catalog_kernel *kernel, enum catalog_precision said)
{
    enum machine_precision precision;

    if (kernel && kernel->precision.count > 0)
        return (enum machine_precision)said;
    precision = from_shape(shape);
    if (precision == MACHINE_PRECISIONS && symbol)
        precision = from_name(symbol);
    if (precision == MACHINE_PRECISIONS && kernel)
        precision = from_arguments(kernel);
    return precision;
}

enum machine_precision kernel_precision_of(const struct group *group)
{
    return find(group->symbol, group->shape, group->kernel, group->precision);
}

enum machine_precision kernel_precision_of_slot(const struct session *session,
                                                const struct session_slot *slot)
{
    const struct session_binding *binding = session_binding_at(session, slot->binding);
    const struct catalog_kernel *kernel = slot->kernel;
    char shape[GROUPS_SHAPE_SIZE] = "";

    if (kernel && slot->dims == kernel->shape_count)
        catalog_format_shape(kernel, slot->shape, shape, sizeof shape);
    return find(binding->symbol, shape, kernel, slots_said_precision(slot));
}
