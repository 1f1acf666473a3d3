/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formats.
 */
#include "export/export.h"

static const struct export_weights any = {EXPORT_CPU, EXPORT_CPU, EXPORT_LIVE},
                                   times = {EXPORT_CPU, EXPORT_CPU, EXPORT_WAITING},
                                   heap = {EXPORT_PEAK, EXPORT_ALLOCATED, EXPORT_LIVE};

const struct export_format *export_format_at(size_t index)
{
    static const struct export_format formats[] = {
#define STACKS_FORMAT(id, is_binary, has_all, has_labels, weights, help)                           \
    {#id,         EXPORT_STACKS, is_binary, has_all, has_labels, help,                             \
     export_##id, NULL,          false,     NULL,    &weights},
#define TIMELINE_FORMAT(id, is_binary, help)                                                       \
    {#id, EXPORT_TIMELINE, is_binary, true, false, help, NULL, &export_##id, false, NULL, NULL},
#define METRICS_FORMAT(id, is_open, help)                                                          \
    {#id, EXPORT_METRICS, false, true, false, help, NULL, NULL, is_open, NULL, NULL},
#define SHAPES_FORMAT(id, name, help)                                                              \
    {name, EXPORT_SHAPES, false, true, false, help, NULL, NULL, false, export_##id, NULL},
#include "export/formats.def"
#undef SHAPES_FORMAT
#undef STACKS_FORMAT
#undef TIMELINE_FORMAT
#undef METRICS_FORMAT
    };

    return index < sizeof formats / sizeof *formats ? &formats[index] : NULL;
}
