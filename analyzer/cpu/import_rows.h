/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of importing each Python module, by samples of processor time.
 *
 * A sample belongs to each module whose code runs on its chain because importlib called that code.
 * Before a module's code runs, importlib searches and reads its file.  That time belongs to the
 * module imported by the same call, if there is only one.  An extension module has no Python code,
 * so the line that imports it represents it.
 */
#ifndef CPU_IMPORT_ROWS_H
#define CPU_IMPORT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/status.h"
#include "base/text_index.h"
#include "base/text_list.h"

struct cpu_time;
struct place;
struct text;

struct import_row {
    const char *file;      /* NULL: an extension module */
    const char *extension; /* name for people of an extension; else NULL */
    uint32_t importer;     /* call of the frame that imports it; 0: unknown */
    double total_ns;       /* including the modules that it imports */
    double self_ns;
    uint64_t samples;
    uint64_t seen; /* the sample that was counted last, and one */
};

struct import_rows {
    const struct cpu_time *time;
    struct array rows; /* of struct import_row */
    struct text_index keys;
    struct text_list texts;
    uint32_t *of_call; /* by call of an importing frame: the row, plus one, of the only module that
                          it imported; 0: none; IMPORT_ROWS_SEVERAL */
    double all_ns;     /* below any import */
};

enum { IMPORT_ROWS_SEVERAL = UINT32_MAX };

/* Find the imports in processor time by function. */
void import_rows_init(struct import_rows *rows, const struct cpu_time *time);

/* Returns: the place of a call of Python code; NULL for other code. */
const struct place *import_rows_find_python(const struct import_rows *rows, uint32_t call);

/* Returns: the nearest Python call around a call; 0: there is none. */
uint32_t import_rows_find_outer(const struct import_rows *rows, uint32_t call);

/* Returns: the call itself or the nearest one around it that is not importlib's; 0: there is
 * none. */
uint32_t import_rows_find_importer(const struct import_rows *rows, uint32_t call);

/* Ask whether importlib runs a module's code there. */
bool import_rows_runs_module(const struct import_rows *rows, uint32_t call);

/* Append "torch.nn.modules", or the importing line of an extension module. */
void import_rows_append_module(struct text *text, const struct import_rows *rows,
                               const struct import_row *row);

/* Append "torch/nn/functional.py:8". */
void import_rows_append_line(struct text *text, const struct import_rows *rows,
                             const struct place *place);

/* Returns: the path below the folder that Python imports from: "torch/nn/functional.py". */
const char *import_rows_find_path(const struct import_rows *rows, const char *file);

#endif
