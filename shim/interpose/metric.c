/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof_record_metric of tprof.h.  It has its own file because its value comes in a floating-point
 * register, and region.c is compiled without these.
 */
#include <stdint.h>
#include <string.h>

#include "interpose/region.h"
#include "platform/attributes.h"

EXPORT void tprof_record_metric(const char *name, double value);

void tprof_record_metric(const char *name, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    region_record_metric(name, bits);
}
