/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where output goes.  Files are told apart by device and number, so that links and
 * other spellings of a name do not hide an input.
 */
#include "cmd/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

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

/* Cut only once it is known to be no input. */
static int open_file(const char *path, bool may_overwrite)
{
    struct stat there;
    bool is_new = stat(path, &there) != 0;
    int kind = !is_new && S_ISREG(there.st_mode) && may_overwrite ? O_TRUNC : 0;

    return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (is_new ? O_EXCL : kind), 0666);
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
    if (*out)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_IO, "cannot write %.300s: %s", path, strerror(errno));
}

enum status destination_close(FILE *out, enum status status, const char *path,
                              struct diagnostic *diagnostic)
{
    if (out == stdout)
        return status;
    if (fclose(out) != 0 && !status)
        return diagnostic_set(diagnostic, STATUS_IO, "cannot write %.300s: %s", path,
                              strerror(errno));
    return status;
}
