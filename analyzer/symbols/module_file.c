/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file of a module, opened when it is the one that ran.
 *
 * libdwfl opens one file at a time, because it finds debug files: by build-id, by .gnu_debuglink,
 * inside the file (.gnu_debugdata), and by debuginfod, but only if the user set DEBUGINFOD_URLS.
 */
#include "symbols/module_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif

#include "base/text.h"
#include "symbols/texts.h"

void module_file_init_search(struct module_file_search *search)
{
    *search = (struct module_file_search){
        .callbacks = {.find_elf = dwfl_build_id_find_elf,
                      .find_debuginfo = dwfl_standard_find_debuginfo,
                      .section_address = dwfl_offline_section_address},
    };
    search->callbacks.debuginfo_path = &search->path;
}

/* A path in a trace may name anything, so a pipe must not be waited for. */
enum { OPEN_FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

/* Links below a root mean the same as on their own system: /lib is the root's /lib.  If the kernel
 * cannot do so (before 5.6), links that start at / lead elsewhere. */
static int open_below(const char *root, const char *path)
{
    int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int descriptor = -1;

    if (folder < 0)
        return -1;
#ifdef RESOLVE_IN_ROOT
    const struct open_how how = {.flags = OPEN_FLAGS, .resolve = RESOLVE_IN_ROOT};

    descriptor = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (descriptor < 0 && (errno == ENOSYS || errno == EPERM))
#endif
        descriptor = openat(folder, path + strspn(path, "/"), OPEN_FLAGS);
    close(folder);
    return descriptor;
}

/* Returns: the file, or -1; `name` is the path where it was found. */
static int open_path(const char *path, const char *root, struct text *name,
                     struct diagnostic *diagnostic)
{
    struct stat facts;
    int descriptor = root ? open_below(root, path) : -1;

    text_appendf(name, "%s%s", descriptor < 0 ? "" : root, path);
    if (descriptor < 0)
        descriptor = open(path, OPEN_FLAGS);
    if (descriptor < 0 || fstat(descriptor, &facts) != 0)
        diagnostic_set(diagnostic, STATUS_IO, "cannot be read: %s", strerror(errno));
    else if (!S_ISREG(facts.st_mode))
        diagnostic_set(diagnostic, STATUS_IO, "%s", file_special_text.words);
    else
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

/* Addresses are reported as in the file: base 0, its own on top. */
static Dwfl_Module *report(Dwfl *dwfl, const char *path, int descriptor)
{
    dwfl_report_begin(dwfl);
    Dwfl_Module *module = dwfl_report_elf(dwfl, path, path, descriptor, 0, true);
    if (!module)
        close(descriptor);
    dwfl_report_end(dwfl, NULL, NULL);
    return module;
}

static bool has_build_id(Elf *elf, const char *expected)
{
    const void *build_id = NULL;
    ssize_t size = dwelf_elf_gnu_build_id(elf, &build_id);
    const unsigned char *bytes = build_id;
    char digits[3];

    if (size <= 0)
        return expected[0] == '\0';
    if (strlen(expected) != 2 * (size_t)size)
        return false;
    for (size_t i = 0; i < (size_t)size; i++) {
        snprintf(digits, sizeof digits, "%02x", bytes[i]);
        if (memcmp(digits, expected + 2 * i, 2) != 0)
            return false;
    }
    return true;
}

/* Object files have no addresses of their own and never run. */
static bool is_loadable(Elf *elf)
{
    GElf_Ehdr header;

    return gelf_getehdr(elf, &header) && (header.e_type == ET_DYN || header.e_type == ET_EXEC);
}

static enum status check(const struct module_file *file, const char *build_id,
                         struct diagnostic *diagnostic)
{
    GElf_Addr bias;
    Elf *elf = file->module ? dwfl_module_getelf(file->module, &bias) : NULL;

    if (!elf)
        return diagnostic_set(diagnostic, STATUS_CORRUPT, "cannot be read: %s", dwfl_errmsg(-1));
    if (!is_loadable(elf))
        return diagnostic_set(diagnostic, STATUS_CORRUPT, "%s", file_no_module_text.words);
    if (!has_build_id(elf, build_id))
        return diagnostic_set(diagnostic, STATUS_NOT_FOUND, "%s", file_other_text.words);
    return STATUS_OK;
}

static void read_part(struct module_file *file, const struct module_file_search *search,
                      const char *name, int descriptor)
{
    file->dwfl = dwfl_begin(&search->callbacks);
    if (file->dwfl)
        file->module = report(file->dwfl, name, descriptor);
    else
        close(descriptor);
}

enum status module_file_open(struct module_file *file, const struct symbols_module *module,
                             const struct module_file_search *search, struct diagnostic *diagnostic)
{
    struct text name;

    *file = (struct module_file){0};
    text_init(&name);
    int descriptor = open_path(module->path, search->root, &name, diagnostic);
    if (descriptor >= 0)
        read_part(file, search, name.bytes, descriptor);
    text_fini(&name);
    if (descriptor < 0)
        return diagnostic->status;
    enum status status = check(file, module->build_id, diagnostic);
    if (status)
        module_file_close(file);
    return status;
}

/* libdwfl reads only files.
 * Returns: a file with the code that Linux mapped here, or -1.  Its section headers come last. */
static int copy_own(void)
{
    const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
    Elf64_Ehdr header;

    if (!image)
        return -1;
    memcpy(&header, image, sizeof header);
    size_t size = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
    int descriptor = memfd_create("vdso", MFD_CLOEXEC);
    if (descriptor >= 0 && write(descriptor, image, size) == (ssize_t)size)
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

enum status module_file_open_own(struct module_file *file, const struct symbols_module *module,
                                 const struct module_file_search *search,
                                 struct diagnostic *diagnostic)
{
    *file = (struct module_file){0};
    if (module->build_id[0] == '\0')
        return diagnostic_set(diagnostic, STATUS_NOT_FOUND, "%s", file_other_text.words);
    int descriptor = copy_own();
    if (descriptor < 0)
        return diagnostic_set(diagnostic, STATUS_IO, "cannot be read: %s", strerror(errno));
    read_part(file, search, module->path, descriptor);
    enum status status = check(file, module->build_id, diagnostic);
    if (status)
        module_file_close(file);
    return status;
}

void module_file_close(struct module_file *file)
{
    if (file->dwfl)
        dwfl_end(file->dwfl);
    *file = (struct module_file){0};
}
