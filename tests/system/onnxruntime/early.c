/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library whose constructor asks ONNX Runtime for its functions.
 */
#include "table.h"

static const struct api_base *base;

__attribute__((constructor)) static void ask(void)
{
    base = OrtGetApiBase();
}

const struct api_base *early_base(void)
{
    return base;
}
