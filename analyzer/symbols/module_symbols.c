/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symbol tables of a module's file, unchanged.
 */
#include "symbols/module_symbols.h"

#include <gelf.h>
#include <stdint.h>

#include "symbols/module_file.h"

/* Bytes of a jump, and of a jump after the mark of a jump target (endbr64). */
enum { JUMP_SIZE_MAX = 5, MARKED_JUMP_SIZE = 9 };

/* A pass over a file's sections. */
struct module_symbols_pass {
    Elf *elf;
    module_symbols_visitor visitor;
    void *of;
};

static bool is_function(const GElf_Sym *symbol)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);

    return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
           (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* Wheels of scipy have a dgemm_ inside that jumps to scipy_dgemm_ of another file. */
static bool is_jump(const GElf_Sym *symbol, GElf_Word type)
{
    return type == SHT_SYMTAB && symbol->st_size > 0 &&
           (symbol->st_size <= JUMP_SIZE_MAX || symbol->st_size == MARKED_JUMP_SIZE);
}

static void visit_section(const struct module_symbols_pass *pass, Elf_Scn *section,
                          const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data ? data->d_size / gelf_fsize(pass->elf, ELF_T_SYM, 1, EV_CURRENT) : 0;

    for (size_t i = 1; i < count && i < INT32_MAX; i++) {
        GElf_Sym symbol;
        const char *name;

        if (!gelf_getsym(data, (int)i, &symbol) || !is_function(&symbol) ||
            is_jump(&symbol, header->sh_type))
            continue;
        name = elf_strptr(pass->elf, header->sh_link, symbol.st_name);
        if (name)
            pass->visitor(pass->of, name, header->sh_type == SHT_DYNSYM);
    }
}

/* Returns: whether there was a section of this type. */
static bool visit_type(const struct module_symbols_pass *pass, GElf_Word type)
{
    Elf_Scn *section = NULL;
    bool is_there = false;

    while ((section = elf_nextscn(pass->elf, section))) {
        GElf_Shdr header;

        if (!gelf_getshdr(section, &header) || header.sh_type != type)
            continue;
        is_there = true;
        visit_section(pass, section, &header);
    }
    return is_there;
}

static bool is_symbol(const GElf_Dyn *entry)
{
    return entry->d_tag == DT_SYMBOLIC ||
           (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_SYMBOLIC));
}

static bool find_symbolic(Elf *elf)
{
    Elf_Scn *section = NULL;

    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        GElf_Dyn entry;
        Elf_Data *data;

        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
            continue;
        data = elf_getdata(section, NULL);
        for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
            if (is_symbol(&entry))
                return true;
    }
    return false;
}

enum status module_symbols_visit(const struct symbols_module *module, const char *root,
                                 module_symbols_visitor visitor, void *of,
                                 struct module_symbols *symbols)
{
    struct diagnostic diagnostic;
    struct module_file_search search;
    struct module_file file;
    enum status status;
    GElf_Addr bias;

    *symbols = (struct module_symbols){false, false};
    module_file_init_search(&search);
    search.root = root;
    status = module_file_open(&file, module, &search, &diagnostic);
    if (status)
        return status;
    struct module_symbols_pass pass = {dwfl_module_getelf(file.module, &bias), visitor, of};
    if (pass.elf) {
        visit_type(&pass, SHT_DYNSYM);
        symbols->has_inner = visit_type(&pass, SHT_SYMTAB);
        symbols->is_symbolic = find_symbolic(pass.elf);
    }
    module_file_close(&file);
    return status;
}
