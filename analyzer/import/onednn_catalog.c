/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The section of the kernel catalog on oneDNN.
 */
#include "import/onednn.h"

const char onednn_catalog[] =
#define ONEDNN(line) line
#include "kernels.def"
#undef ONEDNN
    ;
