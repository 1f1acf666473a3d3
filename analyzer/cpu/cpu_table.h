/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time as a table and as a record: for tprof time, and for the report that programs
 * read.
 */
#ifndef CPU_CPU_TABLE_H
#define CPU_CPU_TABLE_H

#include "base/status.h"
#include "document/document.h"
#include "document/table.h"

struct cpu_row;
struct cpu_time;

extern const struct table_schema cpu_table_schema;

/* Append a row's name: "parse", "m.c:12 parse". */
void cpu_table_append_name(struct text *text, const struct cpu_row *row);

/* Add all rows to a table of that schema.
 * `has_kinds`: rows are of one kind each. */
void cpu_table_fill(struct table *table, const struct cpu_time *time, bool has_kinds);

/* Add the record "time" with its rows, for programs. */
void cpu_table_add_record(struct document *document,
                          const struct cpu_time *time);

/* Say below a table which samples are missing, and how well samples and clocks agree. */
void cpu_table_say(struct text_list *notes, const struct cpu_time *time);

#endif
