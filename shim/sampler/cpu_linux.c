/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds out whether Linux has CONFIG_POSIX_CPU_TIMERS_TASK_WORK.
 *
 * x86 always has it since 5.9 (commit 1fb497dd0030).  Other machines have it if their configuration
 * says so.  gVisor reports that it is Linux 4.4.
 */
#include "sampler/cpu_linux.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "platform/calls.h"
#include "spec/decimal.h"

enum { VERSION_SCALE = 1000, FIRST_VERSION = 5 * VERSION_SCALE + 9 };

static uint64_t version_of(const char *release)
{
    uint64_t major = 0, minor = 0;
    const char *end = decimal_read(release, &major);

    if (*end == '.')
        decimal_read(end + 1, &minor);
    return major * VERSION_SCALE + (minor < VERSION_SCALE ? minor : VERSION_SCALE - 1);
}

#if !defined(__x86_64__)
/* Search the configuration, a piece at a time; the end of each piece is kept before the next. */
static bool is_configured(const char *release)
{
    static const char wanted[] = "\nCONFIG_POSIX_CPU_TIMERS_TASK_WORK=y";
    enum { KEPT = sizeof wanted - 1 };
    char path[128], text[KEPT + 4096];
    bool is_found = false;
    ssize_t got = 1;
    int descriptor;

    snprintf(path, sizeof path, "/boot/config-%s", release);
    descriptor = calls_open(path, O_RDONLY | O_CLOEXEC, 0);
    memset(text, '\n', KEPT);
    while (descriptor >= 0 && !is_found && got > 0) {
        got = calls_read(descriptor, text + KEPT, sizeof text - KEPT);
        if (got > 0) {
            is_found = memmem(text, KEPT + (size_t)got, wanted, KEPT) != NULL;
            memmove(text, text + got, KEPT);
        }
    }
    if (descriptor >= 0)
        calls_close(descriptor);
    return is_found;
}
#else
static bool is_configured(const char *release)
{
    (void)release;
    return true;
}
#endif

bool cpu_linux_is_fit(void)
{
    struct utsname name;

    return calls_system(SYS_uname, &name) == 0 && !strstr(name.version, "gVisor") &&
           version_of(name.release) >= FIRST_VERSION && is_configured(name.release);
}
