/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formats.
 */
#include "export/export.h"

const struct export_format *export_format_at(size_t index)
{
    static const struct export_format formats[] = {
#define FORMAT(id, is_binary, has_all, help) {#id, is_binary, has_all, help, export_##id},
#include "export/formats.def"
#undef FORMAT
    };

    return index < sizeof formats / sizeof *formats ? &formats[index] : NULL;
}
