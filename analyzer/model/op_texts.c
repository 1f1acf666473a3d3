/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses the name and the inputs of an op.
 */
#include "model/op_texts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    enum op_kind kind;
    const char *const *names; /* NULL after the last */
} kinds[] = {
#define OP_KIND(kind, ...) {OP_KIND_##kind, (const char *const[]){__VA_ARGS__, NULL}},
#include "model/op_kinds.def"
#undef OP_KIND
};

static bool is_among(const char *const *names, const char *name, size_t size)
{
    for (; *names; names++)
        if (strlen(*names) == size && strncmp(*names, name, size) == 0)
            return true;
    return false;
}

enum op_kind op_kind_of(const char *name)
{
    static const char space[] = "aten::";
    size_t size;

    if (strncmp(name, space, strlen(space)) != 0)
        return OP_KIND_OTHER;
    name += strlen(space);
    size = strlen(name);
    if (size > 1 && name[size - 1] == '_')
        size--;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_among(kinds[i].names, name, size))
            return kinds[i].kind;
    return OP_KIND_OTHER;
}

/* "bf16" has 16 bits, "bool" a byte. */
static double size_of_type(const char *type, size_t size)
{
    size_t digits = size;

    while (digits > 0 && isdigit((unsigned char)type[digits - 1]))
        digits--;
    return digits < size ? (double)strtoul(type + digits, NULL, 10) / 8 : 1;
}

/* The sizes up to a bracket: "8,16]".  A number without dimensions is one element.  Sizes that
 * were too many end with dots. */
static double count_elements(const char *sizes)
{
    double elements = 1;
    char *end = (char *)(uintptr_t)sizes;

    while (isdigit((unsigned char)*end)) {
        elements *= strtod(end, &end);
        end += *end == ',';
    }
    return *end == ']' ? elements : 0;
}

/* "cuda:f32[" has a device in front of the type, "f32[" has none. */
static struct op_input read_input(const char *at, const char *open)
{
    struct op_input input = {
        .is_list = *at == '(', .type = at, .type_size = (size_t)(open - at), .sizes = open + 1};
    const char *colon = memchr(at, ':', input.type_size);

    if (!colon)
        return input;
    input.device = at;
    input.device_size = (size_t)(colon - at);
    input.type = colon + 1;
    input.type_size = (size_t)(open - input.type);
    return input;
}

bool op_input_next(const char **inputs, struct op_input *input)
{
    const char *at = *inputs, *open;

    if (!at || !*at)
        return false;
    at += strspn(at, " ");
    open = *at == '(' ? at : strchr(at, '[');
    if (!open || strncmp(at, OP_OUTPUTS, strlen(OP_OUTPUTS)) == 0)
        return false;
    *input = read_input(at, open);
    *inputs = open + strcspn(open, " ");
    return true;
}

bool op_tensor_next(const char **inputs, struct op_tensor *tensor)
{
    struct op_input input;

    while (op_input_next(inputs, &input)) {
        if (input.is_list)
            continue;
        *tensor = (struct op_tensor){.device = input.device,
                                     .device_size = input.device_size,
                                     .type = input.type,
                                     .type_size = input.type_size,
                                     .elements = count_elements(input.sizes)};
        tensor->bytes = tensor->elements * size_of_type(input.type, input.type_size);
        return true;
    }
    return false;
}

bool op_tensor_types_agree(const struct op_tensor *one, const struct op_tensor *other)
{
    return one->type_size == other->type_size &&
           strncmp(one->type, other->type, one->type_size) == 0;
}

struct op_inputs op_inputs_sum(const char *inputs)
{
    struct op_inputs sum = {0};
    struct op_tensor tensor;

    while (op_tensor_next(&inputs, &tensor)) {
        sum.bytes += tensor.bytes;
        sum.most_elements = fmax(sum.most_elements, tensor.elements);
        sum.most_bytes = fmax(sum.most_bytes, tensor.bytes);
        if (sum.device_size == 0) {
            sum.device = tensor.device;
            sum.device_size = tensor.device_size;
        }
    }
    return sum;
}
