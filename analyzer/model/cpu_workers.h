/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Credits samples of worker threads to the kernel that another thread called.
 *
 * A library's own threads call no kernel.  Their samples belong to the only kernel that is open at
 * that time, in one thread or in several, if its calling thread runs code of the same file.
 *
 * Decision: doc/decisions/sampled-time.
 */
#ifndef MODEL_CPU_WORKERS_H
#define MODEL_CPU_WORKERS_H

struct session;

/* Give these samples the slot and region of the kernel, and SESSION_SAMPLE_WORKER; give other
 * samples of such threads the only op that was open.  The courses of the session must be
 * complete. */
void cpu_workers_credit(struct session *session);

#endif
