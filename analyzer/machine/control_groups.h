/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limits of control groups, of version 1 or 2 or both, for this process.  Files are below
 * `root`: "" except in tests.
 * Source: cgroups(7), proc_pid_mountinfo(5); admin-guide/cgroup-v2 and cgroup-v1/memory of
 * the kernel.
 */
#ifndef MACHINE_CONTROL_GROUPS_H
#define MACHINE_CONTROL_GROUPS_H

/* Returns: the processors that the groups grant; INFINITY without a quota, NAN if control groups of
 * processors are invisible. */
double control_groups_quota(const char *root);

/* Returns: the most bytes that the groups grant; INFINITY, or more than the machine has, without a
 * limit; NAN if control groups of memory are invisible. */
double control_groups_memory(const char *root);

/* Returns: the bytes that the groups still grant, including those that files use in memory;
 * INFINITY without a limit, NAN if control groups of memory are invisible. */
double control_groups_free_memory(const char *root);

#endif
