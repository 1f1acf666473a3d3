/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of the threads that work for a parallel loop of OpenMP which another thread began.
 *
 * A worker's chain ends where its runtime started it, and says nothing of who began the loop.  The
 * thread that began it runs the same function, called by the runtime that it called.  So that
 * chain goes on where the worker's ends.
 *
 * Decision: doc/decisions/sampled-time.
 */
#ifndef MODEL_LOOP_WORKERS_H
#define MODEL_LOOP_WORKERS_H

struct chains;

/* Give these samples chains that go through the loop to who began it, and the region there.  Where
 * several began loops with one function, the nearest in time did: before and after the sample, or
 * within 20 ms. */
void loop_workers_credit(struct chains *chains);

#endif
