/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limits of control groups, of version 1 or 2 or both, for this process.  Files are below
 * `root`: "" except in tests.
 * Source: cgroups(7), proc_pid_mountinfo(5); admin-guide/cgroup-v2 and cgroup-v1/memory of
 * the kernel.
 */
#ifndef MACHINE_CONTROL_GROUPS_H
#define MACHINE_CONTROL_GROUPS_H

/* Returns: the processors that they give; INFINITY where there is no quota, NAN where
 * control groups of processors cannot be seen. */
double control_groups_quota(const char *root);

/* Returns: the bytes that they give at most; INFINITY or more than there are where there is
 * no limit, NAN where control groups of memory cannot be seen. */
double control_groups_memory(const char *root);

/* Returns: the bytes that they still give, those that files take in memory among them;
 * INFINITY where there is no limit, NAN where control groups of memory cannot be seen. */
double control_groups_free_memory(const char *root);

#endif
