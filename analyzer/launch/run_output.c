/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The path of the trace of a program that has not started yet.  Called only by cmd/run.c, when
 * TPROF_OUTPUT is absolute.
 */
#include "launch/run_output.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "reader/reader.h"

static const char *find_rank(void)
{
    static const char *const variables[] = {
#define RANK(variable) variable,
#include "spec/ranks.def"
#undef RANK
    };

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);

        if (value && value[0] != '\0')
            return value;
    }
    return "0";
}

static void append_code(struct text *path, char code, const char *program)
{
    char host[HOST_NAME_MAX + 1] = "";

    switch (code) {
    case 'e': text_append(path, text_base_name(program)); return;
    case 'h': gethostname(host, sizeof host - 1); break;
    case 'r': text_append(path, find_rank()); return;
    default: host[0] = code; break;
    }
    text_append(path, host);
}

/* Expands the pattern from `size` bytes on, as the shim will (record/path.c).
 * Returns: whether the path is known: a process has no number before it starts. */
static bool expand(struct text *path, size_t size, const char *program)
{
    const char *pattern = getenv("TPROF_OUTPUT");
    const char *end = pattern + size;

    for (; pattern < end; pattern++) {
        if (*pattern != '%' || pattern + 1 == end)
            text_append_bytes(path, pattern, 1);
        else if (*++pattern == 'p')
            return false;
        else
            append_code(path, *pattern, program);
    }
    return true;
}

static bool is_writable_folder(const char *path)
{
    struct stat folder;

    if (stat(path, &folder) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(folder.st_mode) && access(path, W_OK | X_OK) == 0;
}

bool run_output_can_be_written(const char *program)
{
    const char *pattern = getenv("TPROF_OUTPUT");
    const char *slash = pattern ? strrchr(pattern, '/') : NULL;
    struct text folder;
    bool can = true;
    int error;

    if (!slash)
        return true;
    text_init(&folder);
    if (expand(&folder, (size_t)(slash + 1 - pattern), program))
        can = is_writable_folder(folder.bytes);
    error = errno;
    text_fini(&folder);
    errno = error;
    return can;
}

/* Other processes of one job may be given the same name. */
static bool is_being_recorded(const char *path)
{
    struct trace_header header;

    return reader_peek(path, &header) && header.ending == TRACE_RUNNING && header.waited == 0 &&
           (kill((pid_t)header.pid, 0) == 0 || errno == EPERM);
}

bool run_output_is_taken(const char *program)
{
    const char *pattern = getenv("TPROF_OUTPUT");
    struct stat there;
    struct text path;
    bool is_taken;

    text_init(&path);
    is_taken = pattern && expand(&path, strlen(pattern), program) &&
               stat(path.bytes, &there) == 0 && S_ISREG(there.st_mode) &&
               !is_being_recorded(path.bytes);
    text_fini(&path);
    return is_taken;
}
