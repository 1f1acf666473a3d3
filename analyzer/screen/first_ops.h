/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ops of PyTorch on the first screen, used only by first_time.c.
 */
#ifndef SCREEN_FIRST_OPS_H
#define SCREEN_FIRST_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct cpu_time;
struct document;
struct ops_rows;
struct session;
struct text;
struct text_list;

/* Ask whether ops describe a program, because they take enough of its time. */
bool first_has_ops(const struct session *session);

/* Ask whether the budget ended recording of ops: samples then find ops by their functions. */
bool first_ops_ended(const struct session *session);

/* Append the words of a row of processor time by op, without calls if recording of ops ended:
 * "aten::mm 480 calls, 41.0 GFLOP/s, 92.1 % for gradients, train.py:14". */
void first_append_op(struct text *what, const struct ops_rows *ops, const struct cpu_time *time,
                     uint32_t row);

/* Add where the time in ops went, of a trace without samples. */
void first_add_op_time(struct document *document, const struct session *session);

/* Say how the time in ops divides into stages. */
void first_say_op_stages(struct text_list *notes, const struct session *session);

/* Say which classes of torch.nn modules have most of the time in ops, with their gradients; nothing
 * if no module is known. */
void first_say_modules(struct text_list *notes, const struct session *session);

#endif
