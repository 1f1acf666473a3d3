/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as the output of perf script.  See tests/fuzz/local.mk for how it runs.
 */
#include "import_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    import_bytes("perf", data, size);
    return 0;
}
