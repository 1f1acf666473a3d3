/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The properties proto and shape of a kernel.
 */
#ifndef SPEC_PROTOTYPE_H
#define SPEC_PROTOTYPE_H

#include "reader.h"

/* proto RESULT [NAME] ( ARGUMENT, ... ) */
bool prototype_read(struct catalog_reader *reader, struct catalog_kernel *kernel);

/* shape TERM ... ( TERM ... ) ... */
bool prototype_read_shape(struct catalog_reader *reader, struct catalog_kernel *kernel);

#endif
