/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the heads of programs: ELF, and #!  of scripts.  Called before exec and posix_spawn.
 *
 * Source: elf(5), execve(2); load_script() of Linux's fs/binfmt_script.c.
 *
 * Decision: doc/decisions/children-without-us.
 */
#include "platform/program_file.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "platform/attributes.h"
#include "platform/calls.h"

/* HEAD_SIZE: the part of a script's first line that Linux reads.  LEVELS: interpreters that are
 * scripts. */
enum { HEAD_SIZE = 256, LEVELS = 5, AT_ONCE = 8 };

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#endif

#ifndef DF_1_PIE
enum { DF_1_PIE = 0x08000000 };
#endif

enum kind { KIND_LOADS, KIND_LOADS_NOTHING, KIND_SCRIPT, KIND_TEXT };

static int open_at(int folder, const char *path)
{
    return (int)calls_quietly(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static void close_file(int descriptor)
{
    calls_quietly(SYS_close, descriptor);
}

static long read_at(int descriptor, void *bytes, size_t size, uint64_t offset)
{
    return calls_quietly(SYS_pread64, descriptor, bytes, size, offset);
}

/* A device is not opened: that may do something. */
static bool is_regular(int folder, const char *path)
{
    struct stat status;

    return calls_quietly(SYS_newfstatat, folder, path, &status, 0) == 0 && S_ISREG(status.st_mode);
}

static int open_regular(int folder, const char *path)
{
    return is_regular(folder, path) ? open_at(folder, path) : -1;
}

/* The descriptor that fexecve runs may be one that cannot be read (O_PATH). */
static int open_descriptor(int descriptor)
{
    static const char folder[] = "/proc/self/fd/";
    char path[sizeof folder + 3 * sizeof descriptor];
    char *at = path + sizeof path;

    if (descriptor < 0)
        return -1;
    *--at = '\0';
    for (; descriptor > 0 || *at == '\0'; descriptor /= 10)
        *--at = (char)('0' + descriptor % 10);
    at -= sizeof folder - 1;
    memcpy(at, folder, sizeof folder - 1);
    return open_regular(AT_FDCWD, at);
}

/* Ask whether it is the dynamic linker itself, run as a program.  A static program that runs at any
 * address has no interpreter, either. */
static bool is_linker(int descriptor, const ElfW(Phdr) * dynamic)
{
    ElfW(Dyn) entries[AT_ONCE];
    uint64_t end = dynamic->p_offset + dynamic->p_filesz;

    for (uint64_t at = dynamic->p_offset; at < end; at += sizeof entries) {
        if (read_at(descriptor, entries, sizeof entries, at) != sizeof entries)
            return false;
        for (unsigned i = 0; i < AT_ONCE; i++) {
            if (entries[i].d_tag == DT_NULL)
                return true;
            if (entries[i].d_tag == DT_FLAGS_1 && (entries[i].d_un.d_val & DF_1_PIE))
                return false;
        }
    }
    return true;
}

/* The next program headers, of `count`.  Returns: how many. */
static unsigned read_headers(int descriptor, ElfW(Phdr) * headers, uint64_t offset, unsigned count)
{
    size_t size = (count < AT_ONCE ? count : AT_ONCE) * sizeof *headers;
    long used = read_at(descriptor, headers, size, offset);

    return used == (long)size ? (unsigned)(size / sizeof *headers) : 0;
}

/* An unreadable file cannot be run, either. */
static enum kind kind_of_own(int descriptor, const ElfW(Ehdr) * head)
{
    ElfW(Phdr) headers[AT_ONCE], dynamic = {0};
    unsigned count = 1;

    for (unsigned i = 0; i < head->e_phnum && count > 0; i += count) {
        count = read_headers(descriptor, headers, head->e_phoff + i * sizeof *headers,
                             head->e_phnum - i);
        for (unsigned k = 0; k < count; k++) {
            if (headers[k].p_type == PT_INTERP)
                return KIND_LOADS;
            if (headers[k].p_type == PT_DYNAMIC)
                dynamic = headers[k];
        }
    }
    return dynamic.p_filesz > 0 && is_linker(descriptor, &dynamic) ? KIND_LOADS
                                                                   : KIND_LOADS_NOTHING;
}

static enum kind kind_of_elf(int descriptor, const ElfW(Ehdr) * head)
{
    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB ||
        head->e_machine != MACHINE)
        return KIND_LOADS_NOTHING;
    return kind_of_own(descriptor, head);
}

static enum kind kind_of(int descriptor, char *head)
{
    long used = read_at(descriptor, head, HEAD_SIZE - 1, 0);

    head[used > 0 ? used : 0] = '\0';
    if (used >= (long)sizeof(ElfW(Ehdr)) && memcmp(head, ELFMAG, SELFMAG) == 0)
        return kind_of_elf(descriptor, (const void *)head);
    return head[0] == '#' && head[1] == '!' ? KIND_SCRIPT : KIND_TEXT;
}

/* Returns: the interpreter in the first line; cuts the line after it. */
static const char *interpreter_of(char *head)
{
    char *start = head + 2;

    start += strspn(start, " \t");
    start[strcspn(start, " \t\n")] = '\0';
    return start;
}

static bool can_load(int descriptor, bool takes_any_text)
{
    _Alignas(ElfW(Ehdr)) char head[HEAD_SIZE];
    enum kind kind = KIND_LOADS;

    for (unsigned level = 0; level <= LEVELS && descriptor >= 0; level++) {
        kind = kind_of(descriptor, head);
        close_file(descriptor);
        descriptor = -1;
        if (kind == KIND_SCRIPT)
            descriptor = open_regular(AT_FDCWD, interpreter_of(head));
        else if (kind == KIND_TEXT && takes_any_text)
            descriptor = open_regular(AT_FDCWD, "/bin/sh");
        takes_any_text = false;
    }
    if (descriptor >= 0)
        close_file(descriptor);
    return kind != KIND_LOADS_NOTHING;
}

/* Not getenv: the program may have its own.  Returns: the default of libc when there is none. */
static const char *search_path(void)
{
    static const char name[] = "PATH=";

    for (char **entry = environ; entry && *entry; entry++)
        if (strncmp(*entry, name, sizeof name - 1) == 0)
            return *entry + sizeof name - 1;
    return "/bin:/usr/bin";
}

/* Write FOLDER/NAME, or NAME where the folder is empty.  Returns: false when it does not fit. */
static bool join(char path[PATH_MAX], const char *folder, size_t length, const char *name)
{
    size_t size = strlen(name) + 1;

    if (length + 1 + size > PATH_MAX)
        return false;
    memcpy(path, folder, length);
    if (length > 0)
        path[length++] = '/';
    memcpy(path + length, name, size);
    return true;
}

/* The first executable file with this name in PATH.  Returns: an open descriptor, or less than 0.
 * Not inlined, because exec needs the stack for itself. */
static COLD int search(const char *name)
{
    const char *folder = search_path();
    char path[PATH_MAX];
    size_t length;

    for (;; folder += length + 1) {
        length = strcspn(folder, ":");
        if (join(path, folder, length, name) && is_regular(AT_FDCWD, path) &&
            calls_quietly(SYS_faccessat, AT_FDCWD, path, X_OK) == 0)
            return open_at(AT_FDCWD, path);
        if (folder[length] == '\0')
            return -1;
    }
}

/* Only the kernel reads the path, which may be bad memory.  An empty path means the descriptor. */
static int open_program(const struct program_file *file)
{
    int descriptor;

    if (file->is_searched && !strchr(file->path, '/'))
        return search(file->path);
    descriptor = open_regular(file->folder, file->path);
    if (descriptor < 0 && file->flags & AT_EMPTY_PATH)
        descriptor = open_descriptor(file->folder);
    return descriptor;
}

bool program_file_can_load(const struct program_file *file)
{
    return can_load(open_program(file), file->takes_any_text);
}

/* A process that is no longer root's may have kept capabilities, as with setpriv(1): exec uses
 * them, while access(2) ignores them. */
bool program_file_is_readable(const char *path)
{
    int descriptor = open_at(AT_FDCWD, path);

    if (descriptor < 0)
        return descriptor == -EMFILE || descriptor == -ENFILE; /* the file is not the cause */
    close_file(descriptor);
    return calls_quietly(SYS_faccessat, AT_FDCWD, path, R_OK) == 0;
}
