/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * setuid and its relatives, chroot, unshare and setns, exported; syscalls.c has the same by number.
 * A server starts as root, and its workers become a user who cannot write where the trace is, or
 * get a root without that folder.  So before the call the trace becomes a file that can grow
 * without being opened again.
 *
 * Decision: doc/decisions/dropped-privileges.
 */
#include "interpose/dropping.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

#include "platform/attributes.h"
#include "platform/calls.h"
#include "platform/next.h"
#include "record/process_keep.h"

enum { KEEPS = -1 }; /* an id that is not changed */

static REALIGNED void note(void)
{
    int saved_errno = errno;

    process_keep_for_good();
    errno = saved_errno;
}

static bool is_root(void)
{
    return calls_quietly(SYS_geteuid) == 0;
}

static bool is_other_user(unsigned long user)
{
    return (uid_t)user != 0 && (uid_t)user != (uid_t)KEEPS;
}

static bool changes_mounts(unsigned long kinds)
{
    return (kinds & CLONE_NEWNS) != 0;
}

/* Users other than root cannot lose more by these calls, except by a name space of their own. */
static bool loses_path(long number, unsigned long first, unsigned long second)
{
    switch (number) {
    case SYS_setuid: return is_root() && is_other_user(first);
    case SYS_setreuid:
    case SYS_setresuid: return is_root() && is_other_user(second);
    case SYS_chroot:
    case SYS_pivot_root: return is_root();
    case SYS_unshare: return changes_mounts(first);
    case SYS_setns: return second == 0 || changes_mounts(second);
    case SYS_landlock_restrict_self: return true;
    default: return false;
    }
}

void dropping_note(long number, unsigned long first, unsigned long second)
{
    if (loses_path(number, first, second))
        note();
}

EXPORT int setuid(uid_t user)
{
    dropping_note(SYS_setuid, user, 0);
    return next.setuid(user);
}

EXPORT int seteuid(uid_t user)
{
    dropping_note(SYS_setreuid, (unsigned long)KEEPS, user);
    return next.seteuid(user);
}

EXPORT int setreuid(uid_t real, uid_t effective)
{
    dropping_note(SYS_setreuid, real, effective);
    return next.setreuid(real, effective);
}

EXPORT int setresuid(uid_t real, uid_t effective, uid_t saved)
{
    dropping_note(SYS_setresuid, real, effective);
    return next.setresuid(real, effective, saved);
}

EXPORT int chroot(const char *path)
{
    dropping_note(SYS_chroot, 0, 0);
    return next.chroot(path);
}

EXPORT int unshare(int flags)
{
    dropping_note(SYS_unshare, (unsigned long)flags, 0);
    return next.unshare(flags);
}

EXPORT int setns(int descriptor, int kind)
{
    dropping_note(SYS_setns, (unsigned long)descriptor, (unsigned long)kind);
    return next.setns(descriptor, kind);
}
