/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completes the chains of samples of threads that work for another thread's parallel loop of
 * OpenMP.
 *
 * A worker's chain ends where its runtime started the worker, and does not show the start of the
 * loop.  The thread that started the loop runs the same function, called by the runtime that the
 * thread called.  So its chain can continue the worker's.
 *
 * Decision: doc/decisions/sampled-time.
 */
#ifndef MODEL_LOOP_WORKERS_H
#define MODEL_LOOP_WORKERS_H

struct chains;

/* Continue the chains of these samples through the loop to the thread that started the loop, and
 * give them its region.  If several threads started loops with the same function, the nearest in
 * time counts: before and after the sample, or within 20 ms. */
void loop_workers_credit(struct chains *chains);

#endif
