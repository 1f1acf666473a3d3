/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loaded objects as their program headers and dynamic sections describe
 * them: symbols, relocation slots, build-id.  Reads memory only; calls
 * nothing of the dynamic linker but dl_iterate_phdr.
 *
 * Source: System V ABI, chapter 5; GNU hash section by Ulrich Drepper.
 */
#ifndef PLATFORM_ELF_H
#define PLATFORM_ELF_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_object {
    uintptr_t base;
    const char *name; /* the dynamic linker's, which is freed with the object */
    const ElfW(Phdr) * headers;
    unsigned header_count;
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Half) * versions; /* NULL: symbols have none */
    const ElfW(Verdef) * defined_versions;
    const ElfW(Verneed) * needed_versions;
    const uint32_t *gnu_hash;     /* NULL: it has none */
    const uint32_t *hash;         /* System V hash, or NULL */
    const ElfW(Rela) * plt_slots; /* DT_JMPREL */
    size_t plt_slot_count;
    const ElfW(Rela) * data_slots; /* DT_RELA, past its relative relocations */
    size_t data_slot_count;
    const ElfW(Dyn) * dynamic;
    const char *soname;
    size_t tls_module; /* its number among modules with thread-local variables; 0: it has none */
    uintptr_t start; /* executable addresses */
    uintptr_t end;
    size_t size;               /* size of everything mapped */
    uintptr_t protected_start; /* PT_GNU_RELRO, in whole pages */
    uintptr_t protected_end;
    const unsigned char *build_id;
    unsigned build_id_size;
    bool is_lifted;   /* its protected pages may be written until slot_protect */
    bool is_symbolic; /* the object searches itself first */
    bool has_rpath;   /* DT_RPATH: serves its libraries, too */
    bool has_runpath; /* DT_RUNPATH: serves itself */
};

/* Read one object.  Returns: false when it has no dynamic symbols. */
bool elf_read(struct elf_object *object, const struct dl_phdr_info *info);

/* The same with base and dynamic section filled in; other fields stay unchanged.
 * Returns: false when it has no dynamic symbols. */
bool elf_read_symbols(struct elf_object *object);

/* The hash of a name in GNU hash sections. */
uint32_t elf_hash(const char *name);

/* A name to look up.  The kind of the request decides the version. */
struct elf_name {
    const char *text;
    uint32_t hash;       /* hash of GNU hash sections */
    const char *version; /* NULL: none */
    bool is_by_dlsym;    /* without a version it means the newest, else the oldest */
    bool is_kept;        /* the asking object has its own definition, which is protected */
};

/* The name that a symbol of the object's slots asks for. */
struct elf_name elf_name_by_slot(const struct elf_object *object, size_t index);

/* Make a name in the form that a program's slots ask for. */
struct elf_name elf_name_by_program(const char *text, const char *version);

/* Make a name in the form that dlsym asks for; with a version, that of dlvsym. */
struct elf_name elf_name_by_dlsym(const char *text, const char *version);

/* Find the definition that the dynamic linker would take from this object: a function or anything
 * else.  An object without versions has each name in all versions; an object with versions may have
 * names without.
 * Returns: its symbol, or NULL.
 * Source: check_match() and do_lookup_x() of glibc's elf/dl-lookup.c. */
const ElfW(Sym) * elf_find_definition(const struct elf_object *object, const struct elf_name *name);

/* Is the definition a function? */
bool elf_is_function(const struct elf_object *object, const ElfW(Sym) * symbol);

/* Find a definition that is a function. */
const ElfW(Sym) * elf_find_function(const struct elf_object *object, const struct elf_name *name);

/* Find the function that dlsym finds in this object. */
const ElfW(Sym) * elf_find(const struct elf_object *object, const char *name);

/* Find a definition of that name in the object that is no function.
 * Returns: NULL when there is none. */
const ElfW(Sym) * elf_find_data(const struct elf_object *object, const char *name);

/* Ask whether the object defines the name as something other than a function.  Constants may be
 * among its code. */
bool elf_has_data(const struct elf_object *object, const char *name);

/* Give the function of a symbol.  An indirect function (STT_GNU_IFUNC) is the one that its resolver
 * picks; each call asks the resolver again.
 * Returns: NULL when the object is not relocated yet, and the resolver cannot run. */
void *elf_address(const struct elf_object *object, const ElfW(Sym) * symbol);

/* Give the version of a name that programs are linked with, if this object is a system library: the
 * C library, or the compiler's.
 * Returns: NULL when it is no system library, or lacks the name. */
const char *elf_system_version(const struct elf_object *object, const struct elf_name *name);

/* The symbols of an object: those of the hash section come last. */
struct elf_symbols {
    size_t listed;          /* the first symbol of the hash section; symbols before it are
                               undefined, unless there is no such section */
    size_t end;             /* past the last that is known of */
    const uint32_t *hashes; /* from `listed` on, without their lowest bit */
};

struct elf_symbols elf_list_symbols(const struct elf_object *object);

/* Ask whether a symbol is a function that others may be bound to by its name. */
bool elf_is_offered(const struct elf_object *object, size_t index);

/* Has the dynamic linker been through the object's slots?  Another thread may
 * be inside dlopen. */
bool elf_is_relocated(const struct elf_object *object);

/* Is the address in the object's executable part? */
bool elf_contains(const struct elf_object *object, uintptr_t address);

/* May the address be written, or made so? */
bool elf_is_writable_segment(const struct elf_object *object, uintptr_t address);

/* An address of this library, to recognize it among objects. */
bool elf_is_self(const struct elf_object *object);

#endif
