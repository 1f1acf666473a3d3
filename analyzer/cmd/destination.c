/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The destination of output.  Files are compared by device and inode, so that links and other
 * spellings of a name do not hide an input.
 */
#include "cmd/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/whole_file.h"
#include "launch/stop.h"

static struct array inputs = {.item_size = sizeof(struct stat)};

static bool are_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

void destination_note_input(const char *path)
{
    struct stat status, *input;

    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && (input = array_add(&inputs)))
        *input = status;
}

static bool is_input(const struct stat *status)
{
    for (size_t i = 0; i < inputs.count; i++)
        if (are_same(array_at(&inputs, i), status))
            return true;
    return false;
}

bool destination_is_standard(const char *path)
{
    struct stat named, standard;

    if (!path || strcmp(path, "-") == 0)
        return true;
    return stat(path, &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
           are_same(&named, &standard);
}

/* A pipe or a device holds nothing that could be lost. */
static enum status check_existing(const char *path, const struct stat *there, bool may_overwrite,
                                  struct diagnostic *diagnostic)
{
    if (is_input(there))
        return diagnostic_set(diagnostic, STATUS_IO,
                              "%.300s is read too, and would be lost: name another output", path);
    if (!may_overwrite && S_ISREG(there->st_mode))
        return diagnostic_set(diagnostic, STATUS_IO, "%.300s exists; -f overwrites it", path);
    return STATUS_OK;
}

enum status destination_check(const char *path, bool may_overwrite, struct diagnostic *diagnostic)
{
    struct stat there;

    if (destination_is_standard(path) || stat(path, &there) != 0)
        return STATUS_OK;
    return check_existing(path, &there, may_overwrite, diagnostic);
}

enum status destination_check_file(const char *path, bool may_overwrite,
                                   struct diagnostic *diagnostic)
{
    struct stat there;
    bool is_there = lstat(path, &there) == 0;

    if (strcmp(path, "-") == 0 || (stat(path, &there) == 0 && !S_ISREG(there.st_mode)))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "-o %.300s: expected the name of a file, which this becomes", path);
    return is_there ? check_existing(path, &there, may_overwrite, diagnostic) : STATUS_OK;
}

/* The file that was closed last. */
static char *written;

/* The output file, until it is renamed. */
static struct whole_file beside;
static bool is_beside;

/* For example a host's file in a container; kernels before 5.8 cannot tell. */
static bool is_mounted(const char *path)
{
#ifdef STATX_ATTR_MOUNT_ROOT
    struct statx status;

    return statx(AT_FDCWD, path, 0, STATX_TYPE, &status) == 0 &&
           (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#else
    (void)path;
    return false;
#endif
}

/* A file with several names, or of another user, is overwritten in place; a file without write
 * access is left alone. */
static bool can_be_replaced(const char *path, const struct stat *there)
{
    return S_ISREG(there->st_mode) && there->st_nlink == 1 && !is_mounted(path) &&
           (there->st_uid == geteuid() || geteuid() == 0) && access(path, W_OK) == 0;
}

static int open_beside(const char *path, bool may_overwrite, const struct stat *there)
{
    int descriptor;

    if (!whole_file_open(&beside, path, may_overwrite, there))
        return -1;
    descriptor = fcntl(beside.descriptor, F_DUPFD_CLOEXEC, 0);
    is_beside = descriptor >= 0;
    if (is_beside)
        stop_removes(beside.temporary);
    else
        whole_file_discard(&beside);
    return descriptor;
}

/* The file is truncated only once it is known not to be an input. */
static int open_in_place(const char *path, bool may_overwrite, const struct stat *there)
{
    int kind = !S_ISREG(there->st_mode) ? 0 : may_overwrite ? O_TRUNC : O_CREAT | O_EXCL;

    return open(path, O_WRONLY | O_CLOEXEC | kind, 0666);
}

/* The old report stays until the new one is whole.  If no file can be made beside it, the old one
 * is overwritten. */
static int open_file(const char *path, bool may_overwrite)
{
    struct stat there;
    bool is_there = stat(path, &there) == 0;
    int descriptor = -1;

    if (!is_there || can_be_replaced(path, &there))
        descriptor = open_beside(path, may_overwrite, is_there ? &there : NULL);
    return descriptor >= 0 || !is_there ? descriptor : open_in_place(path, may_overwrite, &there);
}

static enum status fail_to_write(const char *path, struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_IO, "cannot write %.300s: %s", path, strerror(errno));
}

enum status destination_open(FILE **out, const char *path, bool may_overwrite,
                             struct diagnostic *diagnostic)
{
    enum status status = destination_check(path, may_overwrite, diagnostic);
    int descriptor;

    *out = stdout;
    if (status || destination_is_standard(path))
        return status;
    descriptor = open_file(path, may_overwrite);
    *out = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    return *out ? STATUS_OK : fail_to_write(path, diagnostic);
}

/* Renames the new file to its final name, or removes it.  Returns: false, with errno. */
static bool finish_beside(bool is_whole)
{
    if (is_whole)
        is_whole = whole_file_finish(&beside);
    else
        whole_file_discard(&beside);
    is_beside = false;
    stop_removes(NULL);
    return is_whole;
}

enum status destination_close(FILE *out, enum status status, const char *path,
                              struct diagnostic *diagnostic)
{
    bool is_whole;

    if (out == stdout)
        return status;
    is_whole = fclose(out) == 0 && !status;
    if (is_beside)
        is_whole = finish_beside(is_whole);
    if (is_whole) {
        free(written);
        written = memory_copy(path);
    }
    return is_whole || status ? status : fail_to_write(path, diagnostic);
}

const char *destination_written(void)
{
    return written;
}
