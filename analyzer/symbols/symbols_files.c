/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files that symbols.h asks: modules, maps of compiled functions, and symbols stored by tprof
 * pack.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "symbols/code_pauses.h"
#include "symbols/code_targets.h"
#include "symbols/symbols_parts.h"
#include "symbols/texts.h"

void symbols_file_free(struct symbols_file *file)
{
    debug_info_fini(&file->debug);
    function_ranges_fini(&file->ranges);
    intervals_fini(&file->linkage);
    intervals_fini(&file->targets);
    table_names_fini(&file->table_names);
    symbol_table_fini(&file->table);
    module_file_close(&file->file);
    if (file->code > 0)
        close(file->code);
    free(file);
}

static void note_problem(struct symbols *symbols, const char *problem)
{
    const char **entry = problem ? array_add(&symbols->problems) : NULL;

    *entry = problem;
}

/* Returns: "libm.so.6: why", kept. */
static const char *word_problem(struct symbols *symbols, const struct symbols_file *file,
                                const char *problem)
{
    struct text text;

    text_init(&text);
    text_appendf(&text, "%s: %s", text_base_name(strchr(file->key, ' ') + 1), problem);
    const char *kept = storage_keep(symbols->storage, text.bytes, text.size);
    text_fini(&text);
    return kept;
}

static void add_problem(struct symbols *symbols, struct symbols_file *file, const char *problem)
{
    file->problem = word_problem(symbols, file, problem);
    note_problem(symbols, file->problem);
}

/* Read where in the file everything lies.
 * Errors: any: there is a problem to report. */
static enum status read_file(struct symbols_file *file, struct diagnostic *diagnostic)
{
    symbol_table_read(&file->table, file->file.module);
    enum status status = debug_info_init(&file->debug, file->file.module);
    if (status == STATUS_CORRUPT)
        return diagnostic_set(diagnostic, status, "debug information cannot be read: %s",
                              dwarf_errmsg(-1));
    if (file->table.names.count == 0 && file->debug.units.count == 0)
        return diagnostic_set(diagnostic, STATUS_NOT_FOUND, "%s", file_no_symbols_text.words);
    return STATUS_OK;
}

/* From now on the stored symbols of the trace answer.  If they are nothing but a problem, only that
 * is reported. */
static void use_stored(struct symbols *symbols, struct symbols_file *file,
                       const struct stored_file *stored)
{
    const struct stored_file **entry;

    file->stored = stored;
    file->cause = stored->cause;
    file->problem = stored->problem;
    if (stored->problem) {
        note_problem(symbols, stored->problem);
        return;
    }
    entry = array_add(&symbols->stored_files);
    *entry = stored;
}

/* Open a map: a file of this process, since another may have had its number before.
 * Returns: NULL when there is none. */
static FILE *open_compiled(const struct symbols *symbols, const struct symbols_map *map,
                           const char *name)
{
    const int64_t second_ns = 1000000000;
    const uint64_t tick_ns = 10000000; /* a file's time is that of Linux's last tick: HZ=100 */
    const char *root = symbols->search.root;
    struct text path;
    struct stat facts;

    text_init(&path);
    text_appendf(&path, "%s%s", root && name[0] == '/' ? root : "", name);
    int descriptor = open(path.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    text_fini(&path);
    if (descriptor < 0)
        return NULL;
    bool is_own =
        !fstat(descriptor, &facts) && S_ISREG(facts.st_mode) &&
        (uint64_t)(facts.st_mtim.tv_sec * second_ns + facts.st_mtim.tv_nsec) + tick_ns >=
            map->since_ns;
    FILE *opened = is_own ? fdopen(descriptor, "r") : NULL;
    if (!opened)
        close(descriptor);
    return opened;
}

static FILE *open_map(const struct symbols *symbols, const struct symbols_map *map)
{
    FILE *opened = open_compiled(symbols, map, map->path);

    for (size_t i = 0; i < sizeof map->dumps / sizeof *map->dumps && !opened; i++)
        if (map->dumps[i])
            opened = open_compiled(symbols, map, map->dumps[i]);
    return opened;
}

/* Few programs write a map, so a missing one is not reported. */
static void read_map(struct symbols *symbols, struct symbols_file *file,
                     const struct symbols_map *map)
{
    const struct stored_file *stored = stored_symbols_find(symbols->stored, "", map->path);
    FILE *opened = open_map(symbols, map);

    file->is_map = true;
    file->cause = opened || stored ? SYMBOLS_CAUSE_NOT_IN_MAP : SYMBOLS_CAUSE_NO_MAP;
    if (opened) {
        symbol_table_read_map(&file->table, opened, symbols->storage);
        (void)fclose(opened);
        if (file->table.is_cut)
            note_problem(symbols, word_problem(symbols, file, file_long_map_text.words));
    } else if (stored)

        use_stored(symbols, file, stored);
}

static enum symbols_cause file_cause(enum status opened)
{
    if (opened == STATUS_NOT_FOUND)
        return SYMBOLS_CAUSE_OTHER_FILE;
    return opened ? SYMBOLS_CAUSE_NO_FILE : SYMBOLS_CAUSE_NO_TABLE;
}

/* Linux's own code in the process has no file.  It gives names if this machine runs the same Linux,
 * or did when the trace was packed. */
static enum status open_linux(struct symbols *symbols, struct symbols_file *file,
                              const struct symbols_module *module)
{
    const struct stored_file *stored =
        stored_symbols_find(symbols->stored, module->build_id, module->path);
    struct diagnostic diagnostic = {0};
    enum status status =
        module_file_open_own(&file->file, module, &symbols->search, &diagnostic);

    if (!status)
        status = read_file(file, &diagnostic);
    if (status && stored) {
        use_stored(symbols, file, stored);
    } else
        status = STATUS_OK;
    file->cause = SYMBOLS_CAUSE_LINUX;
    return status;
}

/* The file itself is the best source, unless it is a different one, or lacks debug information that
 * existed when the trace was packed. */
static void open_file(struct symbols *symbols, struct symbols_file *file,
                      const struct symbols_module *module)
{
    const struct stored_file *stored =
        stored_symbols_find(symbols->stored, module->build_id, module->path);
    struct diagnostic diagnostic = {0};
    enum status status = module_file_open(&file->file, module, &symbols->search, &diagnostic);

    file->cause = file_cause(status);
    symbols->lacks_files |= status && !stored;
    if (!status)
        status = read_file(file, &diagnostic);
    if (stored && (status || (file->debug.units.count == 0 && stored->has_lines))) {
        use_stored(symbols, file, stored);
        return;
    }
    if (status)
        add_problem(symbols, file, diagnostic.text);
}

static enum status open_any(struct symbols *symbols, struct symbols_file *file,
                            const struct symbols_module *module, const struct symbols_map *map)
{
    const struct stored_file *stored =
        stored_symbols_find(symbols->stored, module->build_id, module->path);

    if (stored && stored->is_alone) {
        use_stored(symbols, file, stored);
        return STATUS_OK;
    }
    if (map) {
        read_map(symbols, file, map);
        return STATUS_OK;
    }
    if (!symbols_module_has_file(module))
        return open_linux(symbols, file, module);
    open_file(symbols, file, module);
    return STATUS_OK;
}

static struct symbols_file *new_file(const struct text *key)
{
    struct symbols_file *file = memory_get_zeros(1, sizeof *file + key->size + 1);

    memcpy(file->key, key->bytes, key->size);
    symbol_table_init(&file->table);
    function_ranges_init(&file->ranges);
    intervals_init(&file->linkage);
    intervals_init(&file->targets);
    table_names_init(&file->table_names);
    return file;
}

static struct symbols_file *add_file(struct symbols *symbols, const struct text *key,
                                     const struct symbols_module *module,
                                     const struct symbols_map *map)
{
    struct symbols_file *file = new_file(key);

    if (!open_any(symbols, file, module, map)) {
        HASH_ADD_STR(symbols->files, key, file);
        return file;
    }
    symbols_file_free(file);
    return NULL;
}

struct symbols_file *symbols_file_get(struct symbols *symbols, const struct symbols_module *module,
                                      const struct symbols_map *map)
{
    struct symbols_file *file = NULL;
    struct text key;

    text_init(&key);
    text_append(&key, module->build_id);
    text_append(&key, " ");
    text_append(&key, module->path);
    HASH_FIND_STR(symbols->files, key.bytes, file);
    if (!file)
        file = add_file(symbols, &key, module, map);
    text_fini(&key);
    return file;
}

/* Note where a file calls others: .plt, .plt.sec, .plt.got. */
static void read_linkage(struct symbols_file *file, Elf *elf, uint64_t bias)
{
    static const char linkage[] = ".plt";
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;

    if (!elf || elf_getshdrstrndx(elf, &names) != 0)
        return;
    while ((section = elf_nextscn(elf, section))) {
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        uint64_t start = name ? header.sh_addr + bias : 0;

        if (name && strncmp(name, linkage, strlen(linkage)) == 0 &&
            (header.sh_flags & SHF_EXECINSTR))
            intervals_add(&file->linkage, start, start + header.sh_size, 0);
    }
    intervals_sort(&file->linkage);
}

/* Returns: whether the file has such a section with bytes. */
static bool find_unwind_table(Elf *elf, uint64_t bias, struct function_ranges_section *found)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;

    if (!elf || elf_getshdrstrndx(elf, &names) != 0)
        return false;
    while ((section = elf_nextscn(elf, section))) {
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        const Elf_Data *data = NULL;

        if (name && strcmp(name, ".eh_frame") == 0 && header.sh_type != SHT_NOBITS)
            data = elf_rawdata(section, NULL);
        if (data && data->d_buf) {
            *found =
                (struct function_ranges_section){data->d_buf, data->d_size, header.sh_addr + bias};
            return true;
        }
    }
    return false;
}

static void read_ranges(struct symbols *symbols, struct symbols_file *file)
{
    struct function_ranges_section section;
    GElf_Addr bias = 0;

    file->has_ranges = true;
    Elf *elf = file->file.module ? dwfl_module_getelf(file->file.module, &bias) : NULL;
    read_linkage(file, elf, bias);
    if (!find_unwind_table(elf, bias, &section))
        return;
    function_ranges_read(&file->ranges, &section);
    if (!file->ranges.is_torn)
        return;
    note_problem(symbols, word_problem(symbols, file, file_torn_ranges_text.words));
}

void symbols_file_find_range(struct symbols *symbols, struct symbols_file *file, uint64_t address,
                             const struct interval **range)
{
    if (!file->has_ranges)
        read_ranges(symbols, file);

    *range = function_ranges_find(&file->ranges, address);
}

static void read_table_names(struct symbols_file *file)
{
    GElf_Addr bias = 0;
    Elf *elf = file->file.module ? dwfl_module_getelf(file->file.module, &bias) : NULL;

    file->has_table_names = true;
    if (elf)
        table_names_read(&file->table_names, elf, bias, &file->ranges);
}

void symbols_file_find_table_name(struct symbols *symbols, struct symbols_file *file,
                                  uint64_t start, const char **name)
{
    struct text text;

    if (!file->has_table_names)
        read_table_names(file);
    *name = NULL;
    text_init(&text);
    if (table_names_append(&text, &file->table_names, start))

        *name = storage_keep(symbols->storage, text.bytes, text.size);
    text_fini(&text);
}

static void open_code(struct symbols_file *file)
{
    const char *path = NULL;

    dwfl_module_info(file->file.module, NULL, NULL, NULL, NULL, NULL, &path, NULL);
    file->code = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (file->code == 0) { /* standard input was closed: 0 means that nothing is open */
        file->code = dup(0);
        close(0);
    }
}

bool symbols_file_pauses(struct symbols_file *file, uint64_t address)
{
    GElf_Addr bias = 0;
    Elf *elf = file->file.module ? dwfl_module_getelf(file->file.module, &bias) : NULL;

    if (elf && file->code == 0)
        open_code(file);
    return elf && file->code > 0 && code_pauses_at(elf, file->code, bias, address);
}

static void read_targets(struct symbols_file *file)
{
    GElf_Addr bias = 0;
    Elf *elf = file->file.module ? dwfl_module_getelf(file->file.module, &bias) : NULL;

    file->has_targets = true;
    if (file->ranges.is_torn || file->ranges.intervals.items.count == 0)
        return;
    if (elf)
        code_targets_read(&file->targets, elf, bias, &file->ranges);
}

void symbols_file_find_target(struct symbols_file *file, uint64_t address, uint64_t *start)
{
    if (!file->has_targets)
        read_targets(file);
    const struct interval *target = intervals_find(&file->targets, address);

    *start = target ? target->start : 0;
}
