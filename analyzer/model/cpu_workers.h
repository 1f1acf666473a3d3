/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of the threads that work for a kernel which another thread called.
 *
 * A library's own threads call no kernel.  Their samples belong to the kernel that is open
 * meanwhile, if one alone is, in one thread or in several, and if it runs code of the same file in
 * the thread that called it.
 *
 * Decision: doc/decisions/sampled-time.
 */
#ifndef MODEL_CPU_WORKERS_H
#define MODEL_CPU_WORKERS_H

struct session;

/* Give these samples the slot and region of the kernel, and SESSION_SAMPLE_WORKER; others of such
 * threads the only op that was open.  The courses of the session are complete. */
void cpu_workers_credit(struct session *session);

#endif
