/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a hidden file in the folder of the final one, and renames it at the end.
 *
 * Called by the commands and by the writer of calibrations, on the main thread.
 */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    NAME_SIZE = 200, /* bytes of the file's name in the hidden name, which must fit a folder */
    LINKS_MOST = 40  /* the limit of Linux */
};

static bool fail(int error)
{
    errno = error;
    return false;
}

/* Returns: the bytes of a path that are its folder's, with the slash. */
static int folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (int)(slash + 1 - path) : 0;
}

/* Follow links up to a file that does not exist yet.  Returns: false, with errno. */
static bool follow_links(char place[PATH_MAX])
{
    char target[PATH_MAX];
    ssize_t size;

    for (int i = 0; (size = readlink(place, target, sizeof target)) >= 0; i++) {
        int folder = target[0] == '/' ? 0 : folder_size(place);

        if (i == LINKS_MOST)
            return fail(ELOOP);
        if (size >= PATH_MAX - folder)
            return fail(ENAMETOOLONG);
        memcpy(place + folder, target, (size_t)size);
        place[folder + size] = '\0';
    }
    return true;
}

/* Returns: false, with errno, if the path is too long or the links form a circle. */
static bool find_place(char place[PATH_MAX], const char *path)
{
    if (realpath(path, place))
        return true;
    if (snprintf(place, PATH_MAX, "%s", path) >= PATH_MAX)
        return fail(ENAMETOOLONG);
    return follow_links(place);
}

bool whole_file_is_possible(const char *path)
{
    char place[PATH_MAX];
    int size;

    if (!find_place(place, path))
        return false;
    size = folder_size(place);
    place[size] = '\0';
    return access(size > 0 ? place : ".", W_OK | X_OK) == 0;
}

static bool choose_names(struct whole_file *file, const char *path)
{
    int folder;

    if (!find_place(file->path, path))
        return false;
    folder = folder_size(file->path);
    if (snprintf(file->temporary, sizeof file->temporary, "%.*s.%.*s.XXXXXX", folder, file->path,
                 NAME_SIZE, file->path + folder) < (int)sizeof file->temporary)
        return true;
    return fail(ENAMETOOLONG);
}

/* Only root may give a file to another owner; other users may give it to one of their own
 * groups. */
static mode_t take_owner(int descriptor, const struct stat *like)
{
    mode_t mode = like->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);

    if (fchown(descriptor, like->st_uid, like->st_gid) != 0 &&
        fchown(descriptor, (uid_t)-1, like->st_gid) != 0)
        mode &= ~(mode_t)S_IRWXG;
    return mode;
}

static mode_t mode_of_new(void)
{
    mode_t mask = umask(0);

    umask(mask);
    return (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) & ~mask;
}

/* Called if memory runs out before the file is whole. */
static void remove_part(void *of)
{
    const struct whole_file *file = of;

    unlink(file->temporary);
}

bool whole_file_open(struct whole_file *file, const char *path, bool may_replace,
                     const struct stat *like)
{
    struct stat there;
    mode_t mode;

    file->may_replace = may_replace;
    if (!choose_names(file, path))
        return false;
    if (stat(file->path, &there) == 0 && !S_ISREG(there.st_mode))
        return fail(EINVAL);
    file->descriptor = mkostemp(file->temporary, O_CLOEXEC);
    if (file->descriptor < 0)
        return false;
    file->removal = (struct memory_last_work){remove_part, file, NULL};
    memory_note_last_work(&file->removal);
    mode = like ? take_owner(file->descriptor, like) : mode_of_new();
    (void)!fchmod(file->descriptor, mode); /* not all file systems have permissions */
    return true;
}

/* Until the new file is stored, only the old one is safe on the disk. */
static bool store(const struct whole_file *file)
{
    struct stat old;

    return !file->may_replace || lstat(file->path, &old) != 0 || fsync(file->descriptor) == 0;
}

/* Not all file systems can check for a file and rename one in a single step. */
static bool move(const struct whole_file *file)
{
    if (!file->may_replace &&
        renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path, RENAME_NOREPLACE) == 0)
        return true;
    if (!file->may_replace && errno != EINVAL && errno != ENOSYS)
        return false;
    return rename(file->temporary, file->path) == 0;
}

bool whole_file_finish(struct whole_file *file)
{
    bool is_stored = store(file);
    int error = errno;

    memory_drop_last_work(&file->removal);
    if (close(file->descriptor) == 0 && is_stored && move(file))
        return true;
    if (is_stored)
        error = errno;
    unlink(file->temporary);
    errno = error;
    return false;
}

void whole_file_discard(struct whole_file *file)
{
    int error = errno;

    memory_drop_last_work(&file->removal);
    close(file->descriptor);
    unlink(file->temporary);
    errno = error;
}

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);

        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

bool whole_file_put(const char *path, const struct text *text)
{
    struct whole_file file;
    struct stat before;
    bool is_there = stat(path, &before) == 0;

    if (!whole_file_open(&file, path, true, is_there ? &before : NULL))
        return false;
    if (write_all(file.descriptor, text->bytes, text->size))
        return whole_file_finish(&file);
    whole_file_discard(&file);
    return false;
}
