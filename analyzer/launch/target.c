/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the file of a program before it starts.  Called only by cmd/run.c.  Never writes.  It
 * maps the file instead of reading it, as the string table of a large program is megabytes.
 * Source: System V ABI, chapters 4 and 5; ld.so(8), secure-execution mode.
 */
#include "launch/target.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __x86_64__
enum { OUR_MACHINE = EM_X86_64 };
#else
enum { OUR_MACHINE = EM_AARCH64 };
#endif

enum { OUR_ORDER = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB };

struct image {
    const char *bytes;
    size_t size;
};

/* A symbol of the runtime is in the program's dynamic strings. */
struct sanitizer {
    const char *symbol;
    const char *obstacle;
};

static const struct sanitizer sanitizers[] = {
#define SANITIZER(symbol, name)                                                                    \
    {symbol, "it is built with " name ", which takes malloc for itself"},
#include "spec/sanitizers.def"
#undef SANITIZER
};

/* Give bytes of the file.  Returns: NULL when the file does not contain all of them. */
static const void *image_at(const struct image *image, uint64_t offset, uint64_t size)
{
    if (offset > image->size || size > image->size - offset)
        return NULL;
    return image->bytes + offset;
}

/* Copied, as nothing in a file need be aligned. */
static bool read_head(const struct image *image, Elf64_Ehdr *head)
{
    const void *bytes = image_at(image, 0, sizeof *head);

    if (!bytes)
        return false;
    memcpy(head, bytes, sizeof *head);
    return memcmp(head->e_ident, ELFMAG, SELFMAG) == 0;
}

static bool read_segment(const struct image *image, const Elf64_Ehdr *head, unsigned index,
                         Elf64_Phdr *segment)
{
    uint64_t place;
    const void *bytes = NULL;

    if (index < head->e_phnum &&
        !__builtin_add_overflow(head->e_phoff, index * sizeof *segment, &place))
        bytes = image_at(image, place, sizeof *segment);
    if (bytes)
        memcpy(segment, bytes, sizeof *segment);
    return bytes != NULL;
}

static bool find_segment(const struct image *image, const Elf64_Ehdr *head, uint32_t type,
                         Elf64_Phdr *segment)
{
    for (unsigned i = 0; read_segment(image, head, i, segment); i++)
        if (segment->p_type == type)
            return true;
    return false;
}

/* Finds the place in the file of a loaded address.  Returns: false when the file has none. */
static bool find_address(const struct image *image, const Elf64_Ehdr *head, uint64_t address,
                         uint64_t *offset)
{
    Elf64_Phdr segment;

    for (unsigned i = 0; read_segment(image, head, i, &segment); i++) {
        if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
            address - segment.p_vaddr >= segment.p_filesz)
            continue;
        return !__builtin_add_overflow(segment.p_offset, address - segment.p_vaddr, offset);
    }
    return false;
}

/* Find the value of a dynamic tag; 0 when it is missing. */
static uint64_t find_dynamic(const struct image *image, const Elf64_Phdr *dynamic, int64_t tag)
{
    const char *bytes = image_at(image, dynamic->p_offset, dynamic->p_filesz);

    for (uint64_t i = 0; bytes && i + sizeof(Elf64_Dyn) <= dynamic->p_filesz;
         i += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;

        memcpy(&entry, bytes + i, sizeof entry);
        if (entry.d_tag == tag)
            return entry.d_un.d_val;
    }
    return 0;
}

/* The names of symbols and libraries.  Returns: NULL when there are none. */
static const char *find_strings(const struct image *image, const Elf64_Ehdr *head, uint64_t *size)
{
    Elf64_Phdr dynamic;
    uint64_t place;

    if (!find_segment(image, head, PT_DYNAMIC, &dynamic) ||
        !find_address(image, head, find_dynamic(image, &dynamic, DT_STRTAB), &place))
        return NULL;
    *size = find_dynamic(image, &dynamic, DT_STRSZ);
    return image_at(image, place, *size);
}

static const char *find_sanitizer(const struct image *image, const Elf64_Ehdr *head)
{
    uint64_t size = 0;
    const char *strings = find_strings(image, head, &size);

    for (size_t i = 0; strings && i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (memmem(strings, size, sanitizers[i].symbol, strlen(sanitizers[i].symbol) + 1))
            return sanitizers[i].obstacle;
    return NULL;
}

static const char *find_library(const struct image *image, const Elf64_Ehdr *head)
{
    static const char *const names[] = {"libopenblas", "libmkl_rt", "libblis",     "libcblas",
                                        "libblas",     "libarmpl",  "libnvpl_blas"};
    uint64_t size = 0;
    const char *strings = find_strings(image, head, &size);

    for (size_t i = 0; strings && i < sizeof names / sizeof *names; i++)
        if (memmem(strings, size, names[i], strlen(names[i])))
            return names[i];
    return NULL;
}

static const char *find_obstacle(const struct image *image, const Elf64_Ehdr *head)
{
    Elf64_Phdr interpreter;

    if (head->e_ident[EI_CLASS] != ELFCLASS64)
        return "it is a 32-bit program";
    if (head->e_ident[EI_DATA] != OUR_ORDER || head->e_machine != OUR_MACHINE)
        return "it is a program for another machine";
    if (!find_segment(image, head, PT_INTERP, &interpreter))
        return "it is statically linked";
    return NULL;
}

static struct target examine_image(const struct image *image)
{
    struct target target = {NULL, false, NULL};
    Elf64_Ehdr head;

    if (!read_head(image, &head))
        return target;
    target.obstacle = find_obstacle(image, &head);
    if (target.obstacle)
        return target;
    target.library = find_library(image, &head);
    target.obstacle = find_sanitizer(image, &head);
    target.must_run_alone = target.obstacle != NULL;
    return target;
}

/* The loader ignores LD_PRELOAD where the program gains rights. */
static bool gains_rights(const struct stat *status)
{
    return ((status->st_mode & S_ISUID) && status->st_uid != getuid()) ||
           ((status->st_mode & S_ISGID) && status->st_gid != getgid());
}

struct target target_examine(const char *path)
{
    struct target target = {NULL, false, NULL};
    struct stat status = {0};
    void *bytes = MAP_FAILED;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);

    if (descriptor < 0)
        return target;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (bytes != MAP_FAILED) {
        target = examine_image(&(struct image){bytes, (size_t)status.st_size});
        munmap(bytes, (size_t)status.st_size);
    }
    if (gains_rights(&status))
        target = (struct target){"it is set-user-id or set-group-id", false, target.library};
    return target;
}

bool target_find_interpreter(const char *path, char *interpreter, size_t size)
{
    char line[256] = "", *word = line + 2, *end;
    FILE *file = fopen(path, "re");
    bool is_script = file && fgets(line, sizeof line, file) && line[0] == '#' && line[1] == '!';

    if (file)
        fclose(file);
    if (!is_script)
        return false;
    word += strspn(word, " \t");
    end = word + strcspn(word, " \t\n");
    /* "env NAME" looks for the interpreter. */
    if (end - word >= 4 && strncmp(end - 4, "/env", 4) == 0 && *end != '\n') {
        word = end + strspn(end, " \t");
        end = word + strcspn(word, " \t\n");
    }
    snprintf(interpreter, size, "%.*s", (int)(end - word), word);
    return interpreter[0] != '\0';
}
