/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tracer is a line of /proc/self/status.  The linker of Go leaves a note in each program.
 */
#include "sampler/cpu_obstacles.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "platform/small_file.h"

/* The line comes after the name and a few numbers. */
bool cpu_obstacles_is_traced(void)
{
    static const char key[] = "\nTracerPid:\t";
    char text[512];
    const char *line;

    if (small_file_read("/proc/self/status", text, sizeof text) <= 0)
        return false;
    line = strstr(text, key);
    return line && line[sizeof key - 1] != '0';
}

/* Source: System V ABI, chapter 5, note section; cmd/link/internal/ld/elf.go. */
static bool has_note_of_go(const char *note, const char *end)
{
    static const char name[] = "Go\0"; /* four bytes, the last is the string's own */
    enum { BUILD_ID = 4, ALIGNMENT = 4 };

    while ((size_t)(end - note) >= sizeof(ElfW(Nhdr)) + sizeof name) {
        const ElfW(Nhdr) *header = (const void *)note;
        size_t name_size = (header->n_namesz + ALIGNMENT - 1) & -(size_t)ALIGNMENT;
        size_t size = (header->n_descsz + ALIGNMENT - 1) & -(size_t)ALIGNMENT;

        if (header->n_type == BUILD_ID && header->n_namesz == sizeof name &&
            memcmp(header + 1, name, sizeof name) == 0)
            return true;
        if (name_size + size > (size_t)(end - note) - sizeof *header)
            return false;
        note += sizeof *header + name_size + size;
    }
    return false;
}

/* The headers' own row gives the distance of the program from its linked address.  The dynamic
 * linker, started as a program, has no such row.
 * Returns: NULL when there is none. */
static const ElfW(Phdr) *find_own_row(const ElfW(Phdr) *headers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (headers[i].p_type == PT_PHDR)
            return &headers[i];
    return NULL;
}

bool cpu_obstacles_is_go(void)
{
    const ElfW(Phdr) *headers = (const void *)getauxval(AT_PHDR);
    size_t count = headers ? getauxval(AT_PHNUM) : 0;
    const ElfW(Phdr) *own = find_own_row(headers, count);

    for (size_t i = 0; own && i < count; i++) {
        const char *note = (const char *)headers - own->p_vaddr + headers[i].p_vaddr;

        if (headers[i].p_type == PT_NOTE && has_note_of_go(note, note + headers[i].p_memsz))
            return true;
    }
    return false;
}
