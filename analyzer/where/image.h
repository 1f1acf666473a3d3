/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mappings of another process: its files, and constant memory such as code and unwinding rules.
 * Memory is read a page at a time, without stopping the process.
 */
#ifndef WHERE_IMAGE_H
#define WHERE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/attributes.h"
#include "base/status.h"

/* A program or library, by its ELF header in memory. */
struct image_module {
    const char *path;          /* path of its file */
    char build_id[2 * 64 + 1]; /* in hexadecimal; "" when there is none */
    uint64_t base;             /* an address in the process less the same in the file */
    uint64_t rules;            /* address of its .eh_frame_hdr; 0: there is none */
    uint64_t rules_size;       /* in bytes */
    uint64_t dynamic;          /* address of its dynamic section; 0: there is none */
};

/* A line of /proc/PID/maps. */
struct image_mapping {
    uint64_t start;
    uint64_t end;
    uint64_t offset; /* in the file */
    bool is_code;
    bool is_written;                   /* may be */
    const char *path;                  /* "" for memory without a file */
    const struct image_module *module; /* NULL: in no module */
};

struct image;

/* Read the mappings of a process.
 *
 * Errors: STATUS_NOT_FOUND: it is gone. */
enum status image_open(struct image **image, pid_t pid) MUST_CHECK;

void image_close(struct image *image);

/* Returns: the mapping that has an address, or NULL. */
const struct image_mapping *image_find(const struct image *image, uint64_t address);

/* Read memory of a module, or memory that cannot be written; some of it is cached.  A file's memory
 * can also be read after the process has ended.
 *
 * Returns: false where it cannot be read, or is of another kind. */
bool image_read(struct image *image, uint64_t address, void *bytes, size_t size);

/* Read the present contents of any memory.  Returns: false where it cannot be read. */
bool image_read_now(const struct image *image, uint64_t address, void *bytes, size_t size);

/* Visit the modules, in the order of their addresses. */
size_t image_module_count(const struct image *image);
const struct image_module *image_module_at(const struct image *image, size_t index);

#endif
