/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties: the indented lines of a kernel's paragraph.
 */
#ifndef SPEC_PROPERTY_H
#define SPEC_PROPERTY_H

#include "reader.h"

/* Read the property at the cursor into the kernel. */
bool property_read(struct catalog_reader *reader, struct catalog_kernel *kernel);

#endif
