/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mappings of another process.  Nothing in its memory is trusted.
 */
#include "where/image.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "where/proc_text.h"

enum { PAGE_BYTES = 4096, PAGES_MOST = 8192, HEADERS_MOST = 64, NOTES_MOST = 4096 };

struct page {
    UT_hash_handle hh;
    uint64_t address;
    unsigned char bytes[PAGE_BYTES];
};

struct image {
    pid_t pid;
    struct text maps;      /* the paths point into it */
    struct array mappings; /* of struct image_mapping, by address */
    struct array modules;  /* of struct image_module *, each of them allocated */
    struct page *pages;
};

/* ---- memory -------------------------------------------------------------------- */

static bool read_process(const struct image *image, uint64_t address, void *bytes, size_t size)
{
    const struct iovec here = {bytes, size};
    const struct iovec there = {(void *)(uintptr_t)address, size};

    return process_vm_readv(image->pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* The end of a file fills its last page with zeros. */
static bool read_file(const struct image_mapping *mapping, uint64_t address, unsigned char *bytes)
{
    int descriptor = mapping->path[0] == '/' ? open(mapping->path, O_RDONLY | O_CLOEXEC) : -1;

    if (descriptor < 0)
        return false;
    memset(bytes, 0, PAGE_BYTES);
    ssize_t size =
        pread(descriptor, bytes, PAGE_BYTES, (off_t)(mapping->offset + (address - mapping->start)));
    close(descriptor);
    return size > 0;
}

static const struct page *add_page(struct image *image, const struct image_mapping *mapping,
                                   uint64_t address)
{
    struct page *page =
        HASH_COUNT(image->pages) < PAGES_MOST ? memory_get_zeros(1, sizeof *page) : NULL;

    if (!page)
        return NULL;
    page->address = address;
    if (read_process(image, address, page->bytes, PAGE_BYTES) ||
        read_file(mapping, address, page->bytes))
        HASH_ADD(hh, image->pages, address, sizeof page->address, page);
    if (page->hh.tbl)
        return page;
    free(page);
    return NULL;
}

/* The unwinding rules of C++ refer to words in their module's data, which the linker has set. */
static bool is_kept(const struct image_mapping *mapping)
{
    return !mapping->is_written || mapping->is_code || mapping->module;
}

static const struct page *find_page(struct image *image, uint64_t address)
{
    struct page *page;

    HASH_FIND(hh, image->pages, &address, sizeof address, page);
    if (page)
        return page;
    const struct image_mapping *mapping = image_find(image, address);
    return mapping && is_kept(mapping) ? add_page(image, mapping, address) : NULL;
}

bool image_read(struct image *image, uint64_t address, void *bytes, size_t size)
{
    unsigned char *to = bytes;

    while (size > 0) {
        uint64_t start = address - address % PAGE_BYTES;
        size_t offset = (size_t)(address - start);
        size_t part = size < PAGE_BYTES - offset ? size : PAGE_BYTES - offset;
        const struct page *page = find_page(image, start);

        if (!page)
            return false;
        memcpy(to, page->bytes + offset, part);
        to += part;
        address += part;
        size -= part;
    }
    return true;
}

/* ---- modules ------------------------------------------------------------------- */

/* The table of segments of a module whose file header is at `start`. */
struct segments {
    ElfW(Ehdr) header;
    ElfW(Phdr) items[HEADERS_MOST];
};

static bool read_segments(const struct image *image, uint64_t start, struct segments *segments)
{
    const ElfW(Ehdr) *header = &segments->header;

    return read_process(image, start, &segments->header, sizeof segments->header) &&
           memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_phentsize == sizeof(ElfW(Phdr)) && header->e_phnum > 0 &&
           header->e_phnum <= HEADERS_MOST &&
           read_process(image, start + header->e_phoff, segments->items,
                        header->e_phnum * sizeof *segments->items);
}

static const ElfW(Phdr) * find_segment(const struct segments *segments, uint32_t type)
{
    for (size_t i = 0; i < segments->header.e_phnum; i++)
        if (segments->items[i].p_type == type)
            return &segments->items[i];
    return NULL;
}

static void write_digits(char *digits, size_t size, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count && 2 * i + 2 < size; i++)
        snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
}

/* Notes follow each other, each padded to words. */
static void find_build_id(struct image_module *module, const unsigned char *notes, size_t size)
{
    const size_t word = sizeof(uint32_t);
    ElfW(Nhdr) note;

    for (size_t at = 0; size - at >= sizeof note;) {
        memcpy(&note, notes + at, sizeof note);
        size_t name = at + sizeof note;
        size_t bytes = name + (note.n_namesz + word - 1) / word * word;
        size_t next = bytes + (note.n_descsz + word - 1) / word * word;

        if (note.n_namesz > size || note.n_descsz > size || next > size)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            memcmp(notes + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
            write_digits(module->build_id, sizeof module->build_id, notes + bytes, note.n_descsz);
            return;
        }
        at = next;
    }
}

static void read_notes(const struct image *image, const struct segments *segments,
                       struct image_module *module)
{
    unsigned char notes[NOTES_MOST];

    for (size_t i = 0; i < segments->header.e_phnum && module->build_id[0] == '\0'; i++) {
        const ElfW(Phdr) *segment = &segments->items[i];

        if (segment->p_type == PT_NOTE && segment->p_memsz <= sizeof notes &&
            read_process(image, module->base + segment->p_vaddr, notes, segment->p_memsz))
            find_build_id(module, notes, segment->p_memsz);
    }
}

/* Returns: the module whose first bytes are in a mapping; NULL when there is none. */
static const struct image_module *add_module(struct image *image,
                                             const struct image_mapping *mapping)
{
    struct segments segments;
    const ElfW(Phdr) *first =
        read_segments(image, mapping->start, &segments) ? find_segment(&segments, PT_LOAD) : NULL;
    struct image_module *module = first ? memory_get_zeros(1, sizeof *module) : NULL;
    struct image_module **place = module ? array_add(&image->modules) : NULL;

    if (!place) {
        free(module);
        return NULL;
    }
    *place = module;
    const ElfW(Phdr) *rules = find_segment(&segments, PT_GNU_EH_FRAME);
    const ElfW(Phdr) *dynamic = find_segment(&segments, PT_DYNAMIC);
    module->path = mapping->path;
    module->base = mapping->start - (first->p_vaddr - first->p_offset);
    module->rules = rules ? module->base + rules->p_vaddr : 0;
    module->rules_size = rules ? rules->p_memsz : 0;
    module->dynamic = dynamic ? module->base + dynamic->p_vaddr : 0;
    read_notes(image, &segments, module);
    return module;
}

static void find_modules(struct image *image)
{
    struct image_mapping *mappings = image->mappings.items;
    const struct image_module *module = NULL;

    for (size_t i = 0; i < image->mappings.count; i++) {
        if (module && strcmp(module->path, mappings[i].path) != 0)
            module = NULL;
        if (mappings[i].path[0] && mappings[i].offset == 0) {
            const struct image_module *other = add_module(image, &mappings[i]);

            module = other ? other : module;
        }
        mappings[i].module = module;
    }
}

/* ---- mappings ------------------------------------------------------------------ */

/* A path ends with " (deleted)" when its file is gone.  Another file may have the name now: its
 * build ID shows this. */
static char *read_path(char *path)
{
    static const char deleted[] = " (deleted)";
    size_t size = strlen(path);

    if (text_ends_with(path, size, deleted))
        path[size - strlen(deleted)] = '\0';
    return path;
}

static void add_mapping(struct image *image, char *line)
{
    struct image_mapping found = {0};
    char rights[5];
    int path = 0;

    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &found.start, &found.end,
               rights, &found.offset, &path) != 4 ||
        path == 0)
        return;
    struct image_mapping *mapping = array_add(&image->mappings);
    found.is_written = rights[1] == 'w';
    found.is_code = rights[2] == 'x';
    found.path = read_path(line + path);
    *mapping = found;
}

static enum status read_mappings(struct image *image)
{
    enum status status = proc_text_append(&image->maps, image->pid, "maps");
    char *next = image->maps.memory;

    if (!status && image->maps.size == 0)
        status = STATUS_NOT_FOUND; /* for example, the process is ending */
    while (!status && next && *next) {
        char *line = next;

        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        add_mapping(image, line);
        status = STATUS_OK;
    }
    return status;
}

enum status image_open(struct image **opened, pid_t pid)
{
    struct image *image = memory_get_zeros(1, sizeof *image);

    *opened = NULL;
    image->pid = pid;
    enum status status;

    text_init(&image->maps);
    array_init(&image->mappings, sizeof(struct image_mapping));
    array_init(&image->modules, sizeof(struct image_module *));
    status = read_mappings(image);
    if (status) {
        image_close(image);
        return status;
    }
    find_modules(image);
    *opened = image;
    return STATUS_OK;
}

void image_close(struct image *image)
{
    struct page *page, *next;

    if (!image)
        return;
    HASH_ITER(hh, image->pages, page, next)
    {
        HASH_DEL(image->pages, page);
        free(page);
    }
    for (size_t i = 0; i < image->modules.count; i++)
        free(*(struct image_module **)array_at(&image->modules, i));
    array_fini(&image->modules);
    array_fini(&image->mappings);
    text_fini(&image->maps);
    free(image);
}

size_t image_module_count(const struct image *image)
{
    return image->modules.count;
}

const struct image_module *image_module_at(const struct image *image, size_t index)
{
    return *(struct image_module *const *)array_at(&image->modules, index);
}

bool image_read_now(const struct image *image, uint64_t address, void *bytes, size_t size)
{
    return read_process(image, address, bytes, size);
}

const struct image_mapping *image_find(const struct image *image, uint64_t address)
{
    const struct image_mapping *mappings = image->mappings.items;
    size_t low = 0, high = image->mappings.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (mappings[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < image->mappings.count && mappings[low].start <= address ? &mappings[low] : NULL;
}
