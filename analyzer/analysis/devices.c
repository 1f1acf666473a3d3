/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices, by the tensors of ops, or by their drivers among the process's files.
 */
#include "analysis/devices.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/texts.h"
#include "base/text.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"

/* These libraries are loaded only where a device is.  Libraries such as cuBLAS are also loaded
 * without a device. */
static const char *const drivers[] = {"libcuda.so*", "libze_intel_gpu.so*"};

static bool has_times(const struct session *session)
{
    for (size_t i = 0; i < session->devices.sums.count; i++)
        if (session_command_sum_at(&session->devices, i)->timed > 0)
            return true;
    return false;
}

/* Ops without a tensor name no device and are left out.  Returns: whether any op named a device. */
static bool append_ops(struct text *line, const struct session *session)
{
    const char *device = NULL;
    uint64_t ns = 0, all_ns = 0;

    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);

        all_ns += op->exclusive_ns;
        if (!op->device)
            continue;
        ns += op->exclusive_ns;
        device = device ? device : op->device;
    }
    if (!device)
        return false;
    say(line, has_times(session) ? device_ops_timed_text : device_ops_text, said_words(device),
        said_share(all_ns > 0 ? (double)ns / (double)all_ns : 0));
    return true;
}

static bool is_driver(const char *file)
{
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (fnmatch(drivers[i], file, 0) == 0)
            return true;
    return false;
}

void devices_append(struct text *line, const struct session *session)
{
    if (append_ops(line, session) || session->devices.sums.count > 0)
        return;
    for (size_t i = 0; i < session->modules.count; i++) {
        const char *file = text_base_name(session_module_at(session, i)->path);

        if (!is_driver(file))
            continue;
        say(line, device_driver_text, said_words(file));
        return;
    }
}

void devices_add_note(struct table *table, const struct session *session)
{
    struct text line;

    text_init(&line);
    devices_append(&line, session);
    text_list_take(&table->notes, &line);
}
