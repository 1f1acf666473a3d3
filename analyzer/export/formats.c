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
#define STACKS_FORMAT(id, is_packed_, has_all_, has_labels_, weights_, help_)                      \
    {.name = #id,                                                                                  \
     .source = EXPORT_STACKS,                                                                      \
     .is_binary = is_packed_,                                                                      \
     .is_packed = is_packed_,                                                                      \
     .has_all = has_all_,                                                                          \
     .has_labels = has_labels_,                                                                    \
     .help = help_,                                                                                \
     .write_stacks = export_##id,                                                                  \
     .weights = &weights_},
#define TIMELINE_FORMAT(id, is_binary_, help_)                                                     \
    {.name = #id,                                                                                  \
     .source = EXPORT_TIMELINE,                                                                    \
     .is_binary = is_binary_,                                                                      \
     .has_all = true,                                                                              \
     .help = help_,                                                                                \
     .timeline = &export_##id},
#define METRICS_FORMAT(id, is_open_, help_)                                                        \
    {.name = #id, .source = EXPORT_METRICS, .has_all = true, .help = help_, .is_open = is_open_},
#define SHAPES_FORMAT(id, name_, help_)                                                            \
    {.name = name_,                                                                                \
     .source = EXPORT_SHAPES,                                                                      \
     .has_all = true,                                                                              \
     .help = help_,                                                                                \
     .write_shapes = export_##id},
#include "export/formats.def"
#undef SHAPES_FORMAT
#undef STACKS_FORMAT
#undef TIMELINE_FORMAT
#undef METRICS_FORMAT
    };

    return index < sizeof formats / sizeof *formats ? &formats[index] : NULL;
}
