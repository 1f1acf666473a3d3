/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Uses libc's own variables if they are set, and /proc before that.  Called while the process
 * starts, under its lock.
 *
 * Decision: doc/decisions/environment-copied.
 */
#include "platform/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "platform/calls.h"
#include "platform/memory.h"

enum { IMAGE_SIZE = 1 << 18, ROOM_SIZE = 2048 };

/* Read the environment given to exec; its memory is never freed.
 * Returns: texts one after the other, up to an empty one; or NULL. */
static const char *read_image(void)
{
    int descriptor = calls_open("/proc/self/environ", O_RDONLY | O_CLOEXEC, 0);
    char *image = descriptor >= 0 ? memory_map(IMAGE_SIZE) : NULL;
    size_t used = 0;
    ssize_t count = image ? 1 : 0;

    while (count > 0 && used < IMAGE_SIZE - 2) {
        count = calls_read(descriptor, image + used, IMAGE_SIZE - 2 - used);
        used += count > 0 ? (size_t)count : 0;
    }
    if (descriptor >= 0)
        calls_close(descriptor);
    return image;
}

/* Read once.  Returns: as read_image(), never NULL. */
static const char *image_texts(void)
{
    static const char *image;

    if (!image)
        image = read_image();
    return image ? image : "";
}

static const char *find_in_image(const char *name)
{
    size_t length = strlen(name);

    for (const char *text = image_texts(); *text; text += strlen(text) + 1)
        if (strncmp(text, name, length) == 0 && text[length] == '=')
            return text + length + 1;
    return NULL;
}

/* A program that sets its title writes over arguments and environment. */
static const char *keep(const char *text)
{
    static char room[ROOM_SIZE];
    static size_t used;
    size_t size = strlen(text) + 1;
    char *kept = size <= sizeof room - used ? room + used : memory_map(size);

    if (kept == room + used)
        used += size;
    return kept ? memcpy(kept, text, size) : "";
}

const char *environment_get(const char *name)
{
    const char *value = environ ? getenv(name) : find_in_image(name);

    return value ? keep(value) : NULL;
}

void environment_each(void (*visit)(const char *text))
{
    if (environ)
        for (char **text = environ; *text; text++)
            visit(*text);
    else
        for (const char *text = image_texts(); *text; text += strlen(text) + 1)
            visit(text);
}

/* The path that execve was given; for a script, the script's.  A relative path starts at the
 * program's first directory. */
static void copy_executed(char *path, size_t size)
{
    const char *executed = (const char *)getauxval(AT_EXECFN);
    size_t length = 0;

    if (!executed)
        return;
    if (executed[0] != '/' && calls_getcwd(path, size - 1)) {
        length = strlen(path);
        path[length++] = '/';
    }
    snprintf(path + length, size - length, "%s", executed);
}

/* /proc may be missing, or show the processes of another namespace. */
void environment_program_path(char *path, size_t size)
{
    static char kept[PATH_MAX];
    ssize_t length;

    if (kept[0] == '\0') {
        length = calls_readlink("/proc/self/exe", kept, sizeof kept - 1);
        if (length <= 0)
            copy_executed(kept, sizeof kept);
    }
    snprintf(path, size, "%s", kept);
}

/* Some programs, such as browsers, start themselves again as /proc/self/exe, which is no name. */
static bool has_invocation_name(void)
{
    static const char folder[] = "/proc/";

    return program_invocation_short_name &&
           strncmp(program_invocation_name, folder, sizeof folder - 1) != 0;
}

/* The name is libc's as soon as libc has one; before, it is the file's. */
const char *environment_program(void)
{
    static char name[NAME_MAX + 1];
    static char path[PATH_MAX];
    const char *slash;

    if (name[0] == '\0' && has_invocation_name())
        snprintf(name, sizeof name, "%s", program_invocation_short_name);
    if (name[0] != '\0')
        return name;
    if (path[0] == '\0')
        environment_program_path(path, sizeof path);
    slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
