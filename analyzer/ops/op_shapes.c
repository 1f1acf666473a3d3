/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes out of the text of an op's inputs.
 */
#include "ops/op_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "model/op_texts.h"

/* "2,3]" or "1,1)".  Returns: whether the text has this form. */
static bool parse_sizes(const char *text, struct op_sizes *sizes)
{
    char *end;

    for (sizes->count = 0; *text != ']' && *text != ')'; text = end + (*end == ',')) {
        if (sizes->count == OP_DIMS_MOST)
            return false;
        sizes->of[sizes->count++] = (long double)strtoll(text, &end, 10);
        if (end == text)
            return false;
    }
    return true;
}

static void parse_output(const char *text, struct op_shapes *shapes)
{
    const char *outputs = text ? strstr(text, OP_OUTPUTS) : NULL;
    struct op_input output;

    shapes->has_output = false;
    if (!outputs)
        return;
    outputs += strlen(OP_OUTPUTS);
    shapes->has_output = op_input_next(&outputs, &output) && !output.is_list &&
                         parse_sizes(output.sizes, &shapes->output);
}

void op_shapes_parse(const char *text, struct op_shapes *inputs)
{
    struct op_input input;

    inputs->tensors = inputs->lists = 0;
    parse_output(text, inputs);
    while (inputs->tensors < OP_INPUTS_MOST && inputs->lists < OP_LISTS_MOST &&
           op_input_next(&text, &input) &&
           parse_sizes(input.sizes, input.is_list ? &inputs->list[inputs->lists]
                                                  : &inputs->tensor[inputs->tensors])) {
        inputs->lists += input.is_list;
        inputs->tensors += !input.is_list;
    }
}

long double op_sizes_elements(const struct op_sizes *of)
{
    long double product = 1;

    for (unsigned i = 0; i < of->count; i++)
        product *= of->of[i];
    return product;
}
