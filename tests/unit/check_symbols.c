/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of names and lines, with a library that knows its
 * own.
 */
#include <dlfcn.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spec/trace.h"
#include "suite.h"
#include "symbols/stored_symbols.h"
#include "symbols/symbols.h"
#include "symbols_fixture.h"

enum { PATH_SIZE = 4096, LOOK_UPS = 100000 };

static const struct symbols_fixture *fixture;
static struct symbols_module library;
static char library_path[PATH_SIZE];
static char build_id[72];
static char folder[] = "/tmp/check_symbols.XXXXXX";

static uint64_t visited; /* the address that a visit returns to */

static int visit(void)
{
    visited = (uint64_t)(uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0));
    return 1;
}

static void format_build_id(Elf *elf, char digits[sizeof build_id])
{
    const void *bytes = NULL;
    ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);

    ck_assert_int_gt(size, 0);
    for (ssize_t i = 0; i < size; i++)
        sprintf(digits + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
}

static void read_build_id(void)
{
    int descriptor = open(library_path, O_RDONLY | O_CLOEXEC);

    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(descriptor, ELF_C_READ, NULL);
    format_build_id(elf, build_id);
    elf_end(elf);
    close(descriptor);
}

static void set_up(void)
{
    Dl_info info;

    fixture = symbols_fixture();
    ck_assert(dladdr(fixture, &info));
    ck_assert_ptr_nonnull(realpath(info.dli_fname, library_path));
    read_build_id();
    library = (struct symbols_module){library_path, build_id, (uint64_t)(uintptr_t)info.dli_fbase};
}

static struct symbols *new_symbols(void)
{
    struct symbols *symbols = symbols_new();

    ck_assert_ptr_nonnull(symbols);
    return symbols;
}

/* Ask for an address of the library, whatever file represents it. */
static const struct symbols_frame *find(struct symbols *symbols,
                                        const struct symbols_module *module, uint64_t address,
                                        size_t *count)
{
    const struct symbols_frame *frames = NULL;

    symbols_find(symbols, module, address, &frames, count);
    ck_assert_uint_gt(*count, 0);
    for (size_t i = 0; i < *count; i++)
        ck_assert(frames[i].is_inlined == (i + 1 < *count));
    return frames;
}

static const struct symbols_frame *find_one(struct symbols *symbols,
                                            const struct symbols_module *module, uint64_t address)
{
    size_t count;
    const struct symbols_frame *frames = find(symbols, module, address, &count);

    ck_assert_uint_eq(count, 1);
    return frames;
}

static uint64_t address_of(int (*function)(int))
{
    return (uint64_t)(uintptr_t)function;
}

static uint64_t address_at(const char *place)
{
    return (uint64_t)(uintptr_t)place;
}

static void assert_is_at(const struct symbols_frame *frame, const char *function, int line)
{
    ck_assert_str_eq(frame->function, function);
    ck_assert_ptr_nonnull(frame->file);
    ck_assert_str_eq(strrchr(frame->file, '/'), "/symbols_fixture.c");
    ck_assert_uint_eq(frame->line, (uint32_t)line);
}

static void assert_is_unknown(const struct symbols_frame *frame)
{
    ck_assert_ptr_null(frame->function);
    ck_assert_ptr_null(frame->file);
    ck_assert_uint_eq(frame->line, 0);
}

START_TEST(symbols_of_headers_and_generators_are_of_libraries)
{
    ck_assert(symbols_is_of_library("/usr/include/c++/12/bits/stl_vector.h"));
    ck_assert(symbols_is_of_library("/home/me/build/report.pb.cc"));
    ck_assert(symbols_is_of_library("report_generated.h"));
    ck_assert(symbols_is_of_library("/rustc/59807616e1fa/library/std/src/fs.rs"));
    ck_assert(symbols_is_of_library("library/core/src/num/mod.rs"));
    ck_assert(symbols_is_of_library("/root/.cargo/registry/src/index/serde-1.0/src/lib.rs"));
    ck_assert(!symbols_is_of_library("/home/me/library/std/report.rs"));
    ck_assert(!symbols_is_of_library("/home/me/usr/include/report.h"));
    ck_assert(!symbols_is_of_library("report.pb.cc.in"));
    ck_assert(!symbols_is_of_library(NULL));
}
END_TEST

START_TEST(symbols_name_a_function_by_its_address)
{
    struct symbols *symbols = new_symbols();
    const struct symbols_frame *frame = find_one(symbols, &library, address_of(fixture->local));

    /* Compilers choose different lines for a function's start. */
    ck_assert_uint_ge(frame->line, (uint32_t)fixture->local_lines[0]);
    ck_assert_uint_le(frame->line, (uint32_t)fixture->local_lines[1]);
    assert_is_at(frame, "local_function", (int)frame->line);
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_tell_the_line_of_a_call)
{
    struct symbols *symbols = new_symbols();

    ck_assert_int_eq(fixture->calls(visit), 2);
    assert_is_at(find_one(symbols, &library, visited - 1), "calling_function", fixture->call_line);
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_tell_inlined_functions_innermost_first)
{
    size_t count;
    struct symbols *symbols = new_symbols();

    ck_assert_int_eq(fixture->inlines(visit), 4);
    const struct symbols_frame *frames = find(symbols, &library, visited - 1, &count);
    ck_assert_uint_eq(count, 3);
    assert_is_at(&frames[0], "inner_function", fixture->inline_lines[0]);
    assert_is_at(&frames[1], "middle_function", fixture->inline_lines[1]);
    assert_is_at(&frames[2], "outer_function", fixture->inline_lines[2]);
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_demangle_names)
{
    struct symbols *symbols = new_symbols();
    const struct symbols_frame *frame = find_one(symbols, &library, address_of(fixture->mangled));

    ck_assert_str_eq(frame->function, "foo::bar(int)");
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_name_nothing_behind_the_end_of_a_function)
{
    struct symbols *symbols = new_symbols();
    const char *sized = fixture->sized;

    ck_assert_str_eq(find_one(symbols, &library, address_at(sized))->function, "sized_label");
    ck_assert_str_eq(find_one(symbols, &library, address_at(sized + 15))->function, "sized_label");
    ck_assert_ptr_null(find_one(symbols, &library, address_at(sized + 16))->function);
    assert_is_unknown(find_one(symbols, &library, library.base));
    assert_is_unknown(find_one(symbols, &library, library.base - 1));
    assert_is_unknown(find_one(symbols, &library, UINT64_MAX));
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_let_a_label_reach_to_the_next)
{
    struct symbols *symbols = new_symbols();
    const char *label = fixture->label;

    ck_assert_str_eq(find_one(symbols, &library, address_at(label))->function, "unsized_label");
    ck_assert_str_eq(find_one(symbols, &library, address_at(label + 63))->function,
                     "unsized_label");
    symbols_free(symbols);
}
END_TEST

/* As assemblers make it, without a line. */
START_TEST(symbols_tell_how_far_in_its_function_an_address_without_a_line_is)
{
    struct symbols *symbols = new_symbols();
    uint64_t local = address_of(fixture->local);

    ck_assert_uint_eq(find_one(symbols, &library, address_at(fixture->sized))->offset, 0);
    ck_assert_uint_eq(find_one(symbols, &library, address_at(fixture->sized + 15))->offset, 15);
    ck_assert_uint_eq(find_one(symbols, &library, address_at(fixture->label + 63))->offset, 63);
    ck_assert_uint_eq(find_one(symbols, &library, address_at(fixture->sized + 16))->offset, 0);
    ck_assert_uint_eq(find_one(symbols, &library, local + 1)->offset, 0);
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_are_the_same_for_every_place_of_a_file)
{
    size_t count;
    struct symbols *symbols = new_symbols();
    uint64_t offset = address_of(fixture->local) - library.base;
    const struct symbols_module moved = {library_path, build_id, 0x10000000};
    const struct symbols_frame *frames = find(symbols, &library, library.base + offset, &count);

    for (int i = 0; i < LOOK_UPS; i++)
        ck_assert_ptr_eq(find(symbols, &moved, moved.base + offset, &count), frames);
    symbols_free(symbols);
}
END_TEST

/* ---- changed files ---------------------------------------------------------- */

START_TEST(symbols_are_not_taken_from_another_file)
{
    struct symbols *symbols = new_symbols();
    struct symbols_module other = library;

    other.build_id = "0123456789abcdef";
    assert_is_unknown(find_one(symbols, &other, address_of(fixture->local)));
    assert_is_unknown(find_one(symbols, &other, address_of(fixture->exported)));
    other.build_id = "";
    assert_is_unknown(find_one(symbols, &other, address_of(fixture->local)));
    ck_assert_str_eq(symbols_problem(symbols, 0),
                     "libsymbols_fixture.so: the file is not the one that ran");
    ck_assert_ptr_eq(symbols_problem(symbols, 1), symbols_problem(symbols, 0));
    ck_assert_ptr_null(symbols_problem(symbols, 2));
    symbols_free(symbols);
}
END_TEST

static const struct {
    const char *path;
    const char *problem;
} unreadable_cases[] = {
    {"/nowhere/libgone.so", "libgone.so: cannot be read: No such file or directory"},
    {"/dev/null", "null: cannot be read: not a regular file"},
    {"/dev", "dev: cannot be read: not a regular file"},
    {"[vdso]", NULL},
    {"linux-vdso.so.1", NULL},
    {"", NULL},
};

START_TEST(symbols_say_why_a_file_gives_none)
{
    struct symbols *symbols = new_symbols();
    const struct symbols_module module = {unreadable_cases[_i].path, build_id, 0};
    const char *expected = unreadable_cases[_i].problem;

    assert_is_unknown(find_one(symbols, &module, 0x1000));
    const char *problem = symbols_problem(symbols, 0);
    if (expected)
        ck_assert_str_eq(problem, expected);
    else
        ck_assert_ptr_null(problem);
    symbols_free(symbols);
}
END_TEST

/* ---- what a trace brings along --------------------------------------------------- */

/* The payload of a fact: its head, and the texts behind. */
struct fact {
    char bytes[256];
    size_t size;
};

static void add_bytes(struct fact *fact, const void *bytes, size_t size)
{
    memcpy(fact->bytes + fact->size, bytes, size);
    fact->size += size;
}

static void add_text(struct fact *fact, const char *text)
{
    add_bytes(fact, text, strlen(text) + 1);
}

static enum status store_file(struct symbols *symbols, uint32_t id, const char *path,
                              const char *problem)
{
    const struct trace_file head = {id, TRACE_FILE_READ};
    struct fact fact = {.size = 0};

    add_bytes(&fact, &head, sizeof head);
    add_text(&fact, build_id);
    add_text(&fact, path);
    add_text(&fact, problem);
    return stored_symbols_read_file(symbols_stored(symbols), fact.bytes, fact.size);
}

/* A function that was inlined into another, at an address. */
static struct fact make_place(uint32_t file, uint64_t address)
{
    const struct trace_place head = {file, 2, address};
    const struct trace_frame frames[] = {{7, 0}, {0, 0x1f}};
    struct fact fact = {.size = 0};

    add_bytes(&fact, &head, sizeof head);
    add_bytes(&fact, frames, sizeof frames);
    add_text(&fact, "inner");
    add_text(&fact, "/src/inner.c");
    add_text(&fact, "outer");
    add_text(&fact, "");
    return fact;
}

static enum status store_place(struct symbols *symbols, const struct fact *fact)
{
    return stored_symbols_read_place(symbols_stored(symbols), fact->bytes, fact->size);
}

START_TEST(symbols_that_were_stored_stand_in_for_a_file_that_is_not_here)
{
    struct symbols *symbols = new_symbols();
    const struct symbols_module gone = {"/nowhere/libgone.so", build_id, 0x10000};
    const struct fact place = make_place(3, 0x40);
    struct text files;
    size_t count;

    ck_assert_int_eq(store_file(symbols, 3, gone.path, ""), STATUS_OK);
    ck_assert_int_eq(store_place(symbols, &place), STATUS_OK);
    const struct symbols_frame *frames = find(symbols, &gone, 0x10040, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(frames[0].function, "inner");
    ck_assert_str_eq(frames[0].file, "/src/inner.c");
    ck_assert_uint_eq(frames[0].line, 7);
    ck_assert_str_eq(frames[1].function, "outer");
    ck_assert_ptr_null(frames[1].file);
    ck_assert_uint_eq(frames[1].offset, 0x1f);
    assert_is_unknown(find_one(symbols, &gone, 0x10041));
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    text_init(&files);
    symbols_append_stored(&files, symbols);
    ck_assert_str_eq(files.bytes, "libgone.so");
    text_fini(&files);
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_that_were_stored_give_way_to_the_file_that_ran)
{
    struct symbols *symbols = new_symbols();
    uint64_t address = address_of(fixture->local);
    const struct fact place = make_place(1, address - library.base);
    struct text files;

    ck_assert_int_eq(store_file(symbols, 1, library.path, ""), STATUS_OK);
    ck_assert_int_eq(store_place(symbols, &place), STATUS_OK);
    ck_assert_str_eq(find_one(symbols, &library, address)->function, "local_function");
    text_init(&files);
    symbols_append_stored(&files, symbols);
    ck_assert_str_eq(files.bytes, "");
    text_fini(&files);
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_that_were_stored_keep_why_there_were_none)
{
    struct symbols *symbols = new_symbols();
    const struct symbols_module gone = {"/nowhere/libgone.so", build_id, 0};

    ck_assert_int_eq(store_file(symbols, 1, gone.path, "libgone.so: the file has no symbols"),
                     STATUS_OK);
    assert_is_unknown(find_one(symbols, &gone, 0x40));
    ck_assert_str_eq(symbols_problem(symbols, 0), "libgone.so: the file has no symbols");
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_that_make_no_sense_are_left_out)
{
    struct symbols *symbols = new_symbols();
    struct stored_symbols *stored = symbols_stored(symbols);
    struct fact place = make_place(1, 0x40);

    ck_assert_int_eq(store_place(symbols, &place), STATUS_CORRUPT); /* of no file */
    ck_assert_int_eq(store_file(symbols, 1, "/nowhere/a", ""), STATUS_OK);
    ck_assert_int_eq(store_file(symbols, 1, "/nowhere/b", ""), STATUS_CORRUPT);
    ck_assert_int_eq(store_file(symbols, 2, "/nowhere/a", ""), STATUS_CORRUPT);
    for (size_t size = 0; size < place.size; size++)
        ck_assert_int_eq(stored_symbols_read_place(stored, place.bytes, size), STATUS_CORRUPT);
    for (uint32_t count = 0; count <= UINT32_MAX / 2; count = 2 * count + 257) {
        memcpy(place.bytes + sizeof count, &count, sizeof count);
        ck_assert_int_eq(store_place(symbols, &place), STATUS_CORRUPT);
    }
    place = make_place(1, 0x40);
    ck_assert_int_eq(store_place(symbols, &place), STATUS_OK);
    ck_assert_int_eq(store_place(symbols, &place), STATUS_CORRUPT); /* twice */
    ck_assert_int_eq(stored_symbols_read_function(stored, place.bytes, 4), STATUS_CORRUPT);
    ck_assert_uint_eq(stored_symbols_count(stored).places, 1);
    symbols_free(symbols);
}
END_TEST

/* ---- files of our own --------------------------------------------------------- */

/* A shell command with the folder as $1 and the library as $2. */
static bool run(const char *script)
{
    char command[3 * PATH_SIZE];

    snprintf(command, sizeof command, "sh -ec '%s' sh '%s' '%s' 2>/dev/null", script, folder,
             library_path);
    return system(command) == 0;
}

static void make_folder(void)
{
    set_up();
    strcpy(strrchr(folder, '.'), ".XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    ck_assert(run("rm -r \"$1\""));
}

/* A file in the folder, in the place of the library. */
static struct symbols_module module_in_folder(char path[PATH_SIZE], const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    return (struct symbols_module){path, build_id, library.base};
}

/* Without symbols, and with its debug information where `id` says; `how`: its form. */
static bool split_library_so(const char *how)
{
    char script[PATH_SIZE];

    snprintf(script, sizeof script,
             "mkdir -p \"$1/.build-id/%.2s\"; "
             "objcopy --only-keep-debug %s \"$2\" \"$1/.build-id/%.2s/%s.debug\"; "
             "objcopy --strip-all \"$2\" \"$1/libsplit.so\"",
             build_id, how, build_id, build_id + 2);
    return run(script);
}

static bool split_library(void)
{
    return split_library_so("");
}

static struct symbols *new_symbols_with_path(const char *path)
{
    struct symbols *symbols = new_symbols();

    symbols_set_debug_path(symbols, path);
    return symbols;
}

START_TEST(symbols_are_found_in_a_separate_file_by_its_build_id)
{
    char path[PATH_SIZE];
    size_t count;

    ck_assert(split_library());
    struct symbols *symbols = new_symbols_with_path(folder);
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    ck_assert_int_eq(fixture->calls(visit), 2);
    assert_is_at(find_one(symbols, &split, visited - 1), "calling_function", fixture->call_line);
    ck_assert_int_eq(fixture->inlines(visit), 4);
    const struct symbols_frame *frames = find(symbols, &split, visited - 1, &count);
    ck_assert_uint_eq(count, 3);
    assert_is_at(&frames[1], "middle_function", fixture->inline_lines[1]);
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    symbols_free(symbols);
}
END_TEST

/* Ways to write a debug file: unpacked unit by unit, and by libdw as a whole. */
static const char *const packings[] = {
    "--compress-debug-sections=zlib-gabi",
    "--compress-debug-sections=zlib-gabi -R .debug_aranges",
    "--compress-debug-sections=zlib-gnu",
};

static void assert_same_frame(const struct symbols_frame *a, const struct symbols_frame *b)
{
    ck_assert_pstr_eq(a->function, b->function);
    ck_assert_pstr_eq(a->file, b->file);
    ck_assert_uint_eq(a->line, b->line);
    ck_assert(a->is_inlined == b->is_inlined);
    ck_assert_uint_eq(a->offset, b->offset);
    ck_assert_uint_eq(a->start, b->start);
}

static void assert_same(struct symbols *symbols, const struct symbols_module *module,
                        struct symbols *others, uint64_t address)
{
    size_t count, expected_count;
    const struct symbols_frame *frames = find(symbols, module, address, &count);
    const struct symbols_frame *expected = find(others, &library, address, &expected_count);

    ck_assert_uint_eq(count, expected_count);
    for (size_t i = 0; i < count; i++)
        assert_same_frame(&frames[i], &expected[i]);
}

/* All addresses around known ones, and addresses of no unit. */
START_TEST(symbols_of_a_compressed_file_are_those_of_a_plain_one)
{
    enum { AROUND = 400 };
    char path[PATH_SIZE];

    ck_assert(split_library_so(packings[_i]));
    ck_assert_int_eq(fixture->inlines(visit), 4);
    struct symbols *symbols = new_symbols_with_path(folder);
    struct symbols *plain = new_symbols();
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    for (uint64_t address = visited - AROUND; address < visited + AROUND; address++)
        assert_same(symbols, &split, plain, address);
    assert_same(symbols, &split, plain, address_at(fixture->label) + 8);
    assert_same(symbols, &split, plain, library.base);
    assert_same(symbols, &split, plain, visited - 1);
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    symbols_free(plain);
    symbols_free(symbols);
}
END_TEST

/* Ask a damaged file for some addresses: anything may be found, or a problem. */
static void find_some(const struct symbols_module *module, const char *debug_path)
{
    size_t count;
    struct symbols *symbols = new_symbols_with_path(debug_path);

    find(symbols, module, address_of(fixture->local), &count);
    find(symbols, module, address_of(fixture->exported), &count);
    find(symbols, module, visited - 1, &count);
    find(symbols, module, library.base, &count);
    symbols_free(symbols);
}

/* Invert a byte at a place of a file. */
static void damage(FILE *file, long at)
{
    ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
    int byte = getc(file);
    ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
    ck_assert_int_ne(putc(~byte & 0xff, file), EOF);
    ck_assert_int_eq(fflush(file), 0);
}

START_TEST(symbols_outlive_compressed_files_that_are_damaged_anywhere)
{
    char path[PATH_SIZE], debug_path[2 * PATH_SIZE];
    struct stat facts;

    ck_assert_int_eq(fixture->inlines(visit), 4);
    ck_assert(split_library_so(packings[0]));
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    snprintf(debug_path, sizeof debug_path, "%s/.build-id/%.2s/%s.debug", folder, build_id,
             build_id + 2);
    ck_assert_int_eq(stat(debug_path, &facts), 0);
    FILE *file = fopen(debug_path, "r+");
    ck_assert_ptr_nonnull(file);
    for (long at = 0; at < facts.st_size; at += 7) {
        damage(file, at);
        find_some(&split, folder);
        damage(file, at);
    }
    ck_assert_int_eq(fclose(file), 0);
}
END_TEST

START_TEST(symbols_of_a_stripped_file_are_those_it_exports)
{
    char path[PATH_SIZE];

    ck_assert(split_library());
    struct symbols *symbols = new_symbols_with_path("/nowhere");
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    assert_is_unknown(find_one(symbols, &split, address_of(fixture->local)));
    const struct symbols_frame *frame = find_one(symbols, &split, address_of(fixture->exported));
    ck_assert_str_eq(frame->function, "exported_function");
    ck_assert_ptr_null(frame->file);
    ck_assert_uint_eq(frame->line, 0);
    ck_assert_str_eq(find_one(symbols, &split, address_of(fixture->mangled))->function,
                     "foo::bar(int)");
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    symbols_free(symbols);
}
END_TEST

/* strip leaves the tables that programs and compilers use to name functions. */
START_TEST(symbols_of_a_stripped_file_are_those_of_its_own_tables)
{
    char path[PATH_SIZE];

    ck_assert(split_library());
    struct symbols *symbols = new_symbols_with_path("/nowhere");
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    const struct {
        int (*function)(int);
        const char *name;
    } rows[] = {
        {fixture->method, "Python: sort"},
        {fixture->primitive, "R: %%"},
        {fixture->virtual[0], "shape::Round::virtual_1"},
        {fixture->virtual[1], "shape::Any::virtual_0"},
        {fixture->virtual[2], "shape::(anonymous namespace)::Hidden::virtual_1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct symbols_frame *frame =
            find_one(symbols, &split, address_of(rows[i].function) + 1);

        ck_assert_ptr_nonnull(frame->function);
        ck_assert_str_eq(frame->function, rows[i].name);
        ck_assert_uint_eq(frame->start, address_of(rows[i].function) - split.base);
    }
    symbols_free(symbols);
}
END_TEST

/* After the exported label there may be others, unknown in a stripped file. */
START_TEST(symbols_of_a_stripped_file_reach_no_further_than_is_known)
{
    char path[PATH_SIZE];

    ck_assert(split_library());
    struct symbols *symbols = new_symbols_with_path("/nowhere");
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    const char *label = fixture->label;
    ck_assert_str_eq(find_one(symbols, &split, address_at(label))->function, "unsized_label");
    const struct symbols_frame *frame = find_one(symbols, &split, address_at(label + 32));
    assert_is_unknown(frame);
    ck_assert_int_eq(frame->cause, SYMBOLS_CAUSE_NO_TABLE);
    symbols_free(symbols);
}
END_TEST

#if defined(__x86_64__)
/* As in codecs: assembler code that neither a symbol nor the unwind table covers. */
START_TEST(symbols_of_a_stripped_file_begin_where_code_leads)
{
    char path[PATH_SIZE];

    ck_assert(split_library());
    struct symbols *symbols = new_symbols_with_path("/nowhere");
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    uint64_t start = address_at(fixture->hidden());
    const struct symbols_frame *frame = find_one(symbols, &split, start + 20);
    assert_is_unknown(frame);
    ck_assert_uint_eq(frame->start, start - split.base);
    ck_assert_int_eq(frame->cause, SYMBOLS_CAUSE_NONE);
    symbols_free(symbols);
}
END_TEST
#endif

/* Only its inner symbols show in the library's own table which memcpy the loader chose. */
START_TEST(symbols_of_a_stripped_c_library_name_what_the_loader_chose)
{
    struct symbols *symbols = new_symbols_with_path("/nowhere");
    void *function = dlsym(RTLD_NEXT, "memcpy");
    struct symbols_module libc;
    char path[PATH_SIZE], id[sizeof build_id];
    Dl_info info;

    ck_assert(function && dladdr(function, &info) && realpath(info.dli_fname, path));
    int file = open(path, O_RDONLY);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    format_build_id(elf, id);
    elf_end(elf);
    close(file);
    libc = (struct symbols_module){path, id, (uint64_t)(uintptr_t)info.dli_fbase};
    const struct symbols_frame *frame =
        find_one(symbols, &libc, (uint64_t)(uintptr_t)function + 8);
    ck_assert_ptr_nonnull(frame->function);
    ck_assert_ptr_nonnull(strstr(frame->function, "mem"));
    ck_assert_uint_eq(frame->start, (uint64_t)(uintptr_t)function - libc.base);
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_of_a_stripped_file_tell_where_its_other_functions_begin)
{
    char path[PATH_SIZE];

    ck_assert(split_library());
    struct symbols *symbols = new_symbols_with_path("/nowhere");
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    uint64_t address = address_of(fixture->local);
    const struct symbols_frame *frame = find_one(symbols, &split, address + 1);
    assert_is_unknown(frame);
    ck_assert_uint_eq(frame->start, address - split.base);
    ck_assert_uint_eq(frame->offset, 1);
    ck_assert_int_eq(frame->cause, SYMBOLS_CAUSE_NONE);
    frame = find_one(symbols, &split, address_of(fixture->exported));
    ck_assert_uint_eq(frame->start, address_of(fixture->exported) - split.base);
    frame = find_one(symbols, &split, split.base);
    ck_assert_uint_eq(frame->start, 0);
    ck_assert_int_eq(frame->cause, SYMBOLS_CAUSE_NO_TABLE);
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    symbols_free(symbols);
}
END_TEST

/* The section's first length leads out of it. */
START_TEST(symbols_say_that_an_unwind_table_is_damaged)
{
    char path[PATH_SIZE];

    ck_assert(split_library());
    ck_assert(run("printf \"\\360\\377\\377\\177\" >\"$1/bad\"; "
                  "objcopy --update-section .eh_frame=\"$1/bad\" \"$1/libsplit.so\""));
    struct symbols *symbols = new_symbols_with_path("/nowhere");
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    const struct symbols_frame *frame = find_one(symbols, &split, address_of(fixture->local));
    assert_is_unknown(frame);
    ck_assert_int_eq(frame->cause, SYMBOLS_CAUSE_NO_TABLE);
    ck_assert_str_eq(symbols_problem(symbols, 0), "libsplit.so: the unwind table is damaged, so "
                                                  "the addresses of some functions are unknown");
    ck_assert_ptr_null(symbols_problem(symbols, 1));
    symbols_free(symbols);
}
END_TEST

/* Packed symbols come back, of functions with and without a name. */
START_TEST(symbols_that_were_stored_keep_where_functions_begin)
{
    struct symbols *symbols = new_symbols();
    const struct symbols_module gone = {"/nowhere/libgone.so", build_id, 0x10000};
    const struct symbols_frame told = {.offset = 0x10, .start = 0x30};
    const struct symbols_known known = {"", NULL, 0x40, &told, 1};
    struct text fact;

    text_init(&fact);
    stored_symbols_write_place(&fact, 1, &known);
    ck_assert_int_eq(store_file(symbols, 1, gone.path, ""), STATUS_OK);
    ck_assert_int_eq(stored_symbols_read_place(symbols_stored(symbols),
                                               fact.bytes + sizeof(struct trace_fact),
                                               fact.size - sizeof(struct trace_fact)),
                     STATUS_OK);
    const struct symbols_frame *frame = find_one(symbols, &gone, 0x10040);
    assert_is_unknown(frame);
    ck_assert_uint_eq(frame->start, 0x30);
    ck_assert_uint_eq(frame->offset, 0x10);
    ck_assert_int_eq(frame->cause, SYMBOLS_CAUSE_NONE);
    text_fini(&fact);
    symbols_free(symbols);
}
END_TEST

/* Returns: where a section of the library starts in its file; 0 when it has none. */
static uint64_t begin_of_section(const char *wanted)
{
    int descriptor = open(library_path, O_RDONLY | O_CLOEXEC);
    Elf *elf = elf_begin(descriptor, ELF_C_READ, NULL);
    uint64_t begin = 0;
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;

    ck_assert_int_eq(elf_getshdrstrndx(elf, &names), 0);
    while ((section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, &header) &&
            strcmp(elf_strptr(elf, names, header.sh_name), wanted) == 0)
            begin = header.sh_addr;
    elf_end(elf);
    close(descriptor);
    return begin;
}

START_TEST(symbols_name_what_leads_into_other_files)
{
    struct symbols *symbols = new_symbols();
    uint64_t begin = begin_of_section(".plt");

    if (begin != 0) {
        const struct symbols_frame *frame = find_one(symbols, &library, library.base + begin + 5);

        ck_assert_str_eq(frame->function, "calls into other libraries");
        ck_assert_uint_eq(frame->start, begin);
    }
    symbols_free(symbols);
}
END_TEST

/* This Linux is the running one; another machine's Linux has another build-id. */
START_TEST(symbols_name_the_code_of_linux_that_runs_here)
{
    struct symbols *symbols = new_symbols();
    const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
    const struct symbols_module other = {"[vdso]", build_id, 0};

    const struct symbols_frame *frame = find_one(symbols, &other, 0x800);
    assert_is_unknown(frame);
    ck_assert_int_eq(frame->cause, SYMBOLS_CAUSE_LINUX);
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    if (image) {
        const Elf64_Ehdr *header = (const void *)image;
        size_t size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
        char own_id[sizeof build_id];
        Elf *elf = elf_memory((char *)(uintptr_t)image, size);

        format_build_id(elf, own_id);
        elf_end(elf);
        const struct symbols_module own = {"[vdso]", own_id, (uint64_t)(uintptr_t)image};
        unsigned named = 0;

        for (size_t at = 0; at < size; at += 16)
            named += find_one(symbols, &own, own.base + at)->function != NULL;
        ck_assert_uint_gt(named, 0);
    }
    symbols_free(symbols);
}
END_TEST

/* For a file without its lines; in a truncated trace, some are missing. */
START_TEST(symbols_that_were_not_stored_are_those_of_the_file)
{
    char path[PATH_SIZE];
    const struct fact place = make_place(1, 0x40);
    size_t count;

    ck_assert(split_library());
    struct symbols *symbols = new_symbols_with_path("/nowhere");
    const struct symbols_module split = module_in_folder(path, "libsplit.so");
    ck_assert_int_eq(store_file(symbols, 1, path, ""), STATUS_OK);
    ck_assert_int_eq(store_place(symbols, &place), STATUS_OK);
    ck_assert_str_eq(find(symbols, &split, split.base + 0x40, &count)->function, "inner");
    ck_assert_str_eq(find_one(symbols, &split, address_of(fixture->exported))->function,
                     "exported_function");
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_of_a_library_without_any_are_said_to_be_missing)
{
    char path[PATH_SIZE];

    ck_assert(run("echo \"this is a text\" >\"$1/libtext.so\""));
    struct symbols *symbols = new_symbols();
    const struct symbols_module text = module_in_folder(path, "libtext.so");
    assert_is_unknown(find_one(symbols, &text, address_of(fixture->local)));
    const char *problem = symbols_problem(symbols, 0);
    ck_assert_ptr_nonnull(problem);
    ck_assert_int_eq(strncmp(problem, "libtext.so: cannot be read: ", 28), 0);
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_outlive_files_that_end_anywhere)
{
    char path[PATH_SIZE];
    struct stat facts;

    ck_assert_int_eq(fixture->inlines(visit), 4);
    ck_assert(run("cp \"$2\" \"$1/libcut.so\""));
    const struct symbols_module cut = module_in_folder(path, "libcut.so");
    ck_assert_int_eq(stat(path, &facts), 0);
    for (off_t size = facts.st_size; size >= 0; size -= 61) {
        ck_assert_int_eq(truncate(path, size), 0);
        find_some(&cut, "/nowhere");
    }
}
END_TEST

/* ---- maps of what a program compiled ------------------------------------------ */

static char map_path[PATH_SIZE];

static void write_map(const char *text)
{
    snprintf(map_path, sizeof map_path, "%s/map", folder);
    FILE *map = fopen(map_path, "w");
    ck_assert_ptr_nonnull(map);
    fputs(text, map);
    ck_assert_int_eq(fclose(map), 0);
}

static const struct symbols_frame *find_compiled(struct symbols *symbols, uint64_t since_ns,
                                                 uint64_t address)
{
    const struct symbols_map map = {map_path, {NULL, NULL}, since_ns};
    const struct symbols_frame *frames = NULL;
    size_t count = 0;

    symbols_find_compiled(symbols, &map, address, &frames, &count);
    ck_assert_uint_eq(count, 1);
    return frames;
}

START_TEST(symbols_name_what_was_compiled)
{
    struct symbols *symbols = new_symbols();

    write_map("1000 10 first function\n2000 20 _Z3addii\n2020 1 last");
    ck_assert_ptr_null(find_compiled(symbols, 0, 0xfff)->function);
    ck_assert_str_eq(find_compiled(symbols, 0, 0x1000)->function, "first function");
    ck_assert_uint_eq(find_compiled(symbols, 0, 0x1000)->offset, 0);
    ck_assert_str_eq(find_compiled(symbols, 0, 0x100f)->function, "first function");
    ck_assert_uint_eq(find_compiled(symbols, 0, 0x100f)->offset, 0xf);
    ck_assert_ptr_null(find_compiled(symbols, 0, 0x1010)->function);
    ck_assert_str_eq(find_compiled(symbols, 0, 0x2001)->function, "add(int, int)");
    ck_assert_str_eq(find_compiled(symbols, 0, 0x2020)->function, "last");
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_split_functions_of_python)
{
    struct symbols *symbols = new_symbols();

    write_map("1000 b py::Layer.forward:/home/a:b/model.py\n1010 b py::odd\n");
    const struct symbols_frame *frame = find_compiled(symbols, 0, 0x1006);
    ck_assert_str_eq(frame->function, "py::Layer.forward");
    ck_assert_str_eq(frame->file, "/home/a:b/model.py");
    ck_assert_uint_eq(frame->line, 0);
    ck_assert_uint_eq(frame->offset, 0);
    frame = find_compiled(symbols, 0, 0x1016);
    ck_assert_str_eq(frame->function, "py::odd");
    ck_assert_ptr_null(frame->file);
    symbols_free(symbols);
}
END_TEST

/* In the order of the file, whatever the addresses. */
START_TEST(symbols_prefer_what_was_compiled_later)
{
    struct symbols *symbols = new_symbols();

    write_map("1000 100 old\n1000 80 young\n"        /* in its place, shorter */
              "2000 100 outer\n2040 10 inner\n"      /* in the middle of it */
              "3040 10 small\n3000 100 large\n"      /* over it */
              "4000 80 left\n4040 80 right\n"        /* over its end */
              "5040 80 behind\n5000 80 in front\n"); /* over its beginning */
    ck_assert_str_eq(find_compiled(symbols, 0, 0x1010)->function, "young");
    ck_assert_ptr_null(find_compiled(symbols, 0, 0x1090)->function);
    ck_assert_str_eq(find_compiled(symbols, 0, 0x2010)->function, "outer");
    ck_assert_str_eq(find_compiled(symbols, 0, 0x2044)->function, "inner");
    ck_assert_str_eq(find_compiled(symbols, 0, 0x3044)->function, "large");
    ck_assert_str_eq(find_compiled(symbols, 0, 0x3090)->function, "large");
    ck_assert_str_eq(find_compiled(symbols, 0, 0x4010)->function, "left");
    ck_assert_str_eq(find_compiled(symbols, 0, 0x4050)->function, "right");
    ck_assert_str_eq(find_compiled(symbols, 0, 0x5050)->function, "in front");
    symbols_free(symbols);
}
END_TEST

/* A record of a dump: of one function if it has a name. */
static void write_record(FILE *dump, uint32_t kind, uint64_t address, uint64_t size,
                         const char *name)
{
    const uint64_t code = 0x90;
    const uint32_t total = (uint32_t)(56 + strlen(name) + 1 + sizeof code);
    const uint32_t head[] = {kind, total, 0, 0, 1, 1};
    const uint64_t load[] = {address, address, size, 0};

    fwrite(head, sizeof head, 1, dump);
    fwrite(load, sizeof load, 1, dump);
    fwrite(name, strlen(name) + 1, 1, dump);
    fwrite(&code, sizeof code, 1, dump);
}

START_TEST(symbols_name_what_was_compiled_by_a_dump)
{
    const uint32_t head[] = {0x4A695444, 1, 40, 62, 0, 1, 0, 0, 0, 0}, torn[] = {0, 1000, 0, 0, 1};
    struct symbols *symbols = new_symbols();

    write_map("");
    FILE *dump = fopen(map_path, "w");
    ck_assert_ptr_nonnull(dump);
    fwrite(head, sizeof head, 1, dump);
    write_record(dump, 0, 0x1000, 0x100, "old");
    write_record(dump, 2, 0x1000, 0x100, "lines of it");
    write_record(dump, 0, 0x3000, 0x10, "other");
    write_record(dump, 0, 0x1080, 0x100, "young");
    fwrite(torn, sizeof torn, 1, dump);
    ck_assert_int_eq(fclose(dump), 0);
    ck_assert_str_eq(find_compiled(symbols, 0, 0x107f)->function, "old");
    ck_assert_str_eq(find_compiled(symbols, 0, 0x1080)->function, "young");
    ck_assert_str_eq(find_compiled(symbols, 0, 0x3000)->function, "other");
    ck_assert_ptr_null(find_compiled(symbols, 0, 0x3010)->function);
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_leave_out_lines_that_make_no_sense)
{
    struct symbols *symbols = new_symbols();

    write_map("\n1000\n1000 10\n1000 10 \nx 10 bad\n-1000 10 bad\n1000 x bad\n 1000 10 bad\n"
              "fffffffffffffff0 20 wraps\n1000 0 empty\n2000 10 good\n");
    ck_assert_ptr_null(find_compiled(symbols, 0, 0x1000)->function);
    ck_assert_ptr_null(find_compiled(symbols, 0, UINT64_MAX - 1)->function);
    ck_assert_str_eq(find_compiled(symbols, 0, 0x2000)->function, "good");
    symbols_free(symbols);
}
END_TEST

/* Another process with the same number left it.  A file has the time of Linux's last tick. */
START_TEST(symbols_take_no_map_that_is_older)
{
    struct symbols *symbols = new_symbols();
    const struct timespec times[2] = {{1000, 500}, {1000, 500}};
    const uint64_t tick_ns = 10000000;
    const uint64_t written_ns = UINT64_C(1000) * 1000000000 + 500 + tick_ns;

    write_map("1000 10 function\n");
    ck_assert_int_eq(utimensat(AT_FDCWD, map_path, times, 0), 0);
    ck_assert_ptr_null(find_compiled(symbols, written_ns + 1, 0x1000)->function);
    symbols_free(symbols);
    symbols = new_symbols();
    ck_assert_str_eq(find_compiled(symbols, written_ns, 0x1000)->function, "function");
    symbols_free(symbols);
}
END_TEST

START_TEST(symbols_say_nothing_where_there_is_no_map)
{
    struct symbols *symbols = new_symbols();

    snprintf(map_path, sizeof map_path, "%s/none", folder);
    ck_assert_ptr_null(find_compiled(symbols, 0, 0x1000)->function);
    snprintf(map_path, sizeof map_path, "%s", folder); /* no file */
    ck_assert_ptr_null(find_compiled(symbols, 0, 0x1000)->function);
    ck_assert_ptr_null(symbols_problem(symbols, 0));
    ck_assert(!symbols_lacks_files(symbols));
    symbols_free(symbols);
}
END_TEST

static TCase *files_case(void)
{
    TCase *files = tcase_create("files");

    tcase_add_checked_fixture(files, make_folder, remove_folder);
    tcase_set_timeout(files, 60);
    tcase_add_test(files, symbols_are_found_in_a_separate_file_by_its_build_id);
    tcase_add_loop_test(files, symbols_of_a_compressed_file_are_those_of_a_plain_one, 0,
                        sizeof packings / sizeof *packings);
    tcase_add_test(files, symbols_outlive_compressed_files_that_are_damaged_anywhere);
    tcase_add_test(files, symbols_of_a_stripped_file_are_those_it_exports);
    tcase_add_test(files, symbols_of_a_stripped_file_tell_where_its_other_functions_begin);
    tcase_add_test(files, symbols_of_a_stripped_file_are_those_of_its_own_tables);
    tcase_add_test(files, symbols_of_a_stripped_file_reach_no_further_than_is_known);
#if defined(__x86_64__)
    tcase_add_test(files, symbols_of_a_stripped_file_begin_where_code_leads);
#endif
    tcase_add_test(files, symbols_of_a_stripped_c_library_name_what_the_loader_chose);
    tcase_add_test(files, symbols_say_that_an_unwind_table_is_damaged);
    tcase_add_test(files, symbols_that_were_not_stored_are_those_of_the_file);
    tcase_add_test(files, symbols_of_a_library_without_any_are_said_to_be_missing);
    tcase_add_test(files, symbols_outlive_files_that_end_anywhere);
    tcase_add_test(files, symbols_name_what_was_compiled);
    tcase_add_test(files, symbols_split_functions_of_python);
    tcase_add_test(files, symbols_prefer_what_was_compiled_later);
    tcase_add_test(files, symbols_name_what_was_compiled_by_a_dump);
    tcase_add_test(files, symbols_leave_out_lines_that_make_no_sense);
    tcase_add_test(files, symbols_take_no_map_that_is_older);
    tcase_add_test(files, symbols_say_nothing_where_there_is_no_map);
    return files;
}

int check_symbols(void)
{
    Suite *suite = suite_create("symbols");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, set_up, NULL);
    tcase_add_test(all, symbols_of_headers_and_generators_are_of_libraries);
    tcase_add_test(all, symbols_name_a_function_by_its_address);
    tcase_add_test(all, symbols_tell_the_line_of_a_call);
    tcase_add_test(all, symbols_tell_inlined_functions_innermost_first);
    tcase_add_test(all, symbols_demangle_names);
    tcase_add_test(all, symbols_name_nothing_behind_the_end_of_a_function);
    tcase_add_test(all, symbols_let_a_label_reach_to_the_next);
    tcase_add_test(all, symbols_tell_how_far_in_its_function_an_address_without_a_line_is);
    tcase_add_test(all, symbols_are_the_same_for_every_place_of_a_file);
    tcase_add_test(all, symbols_are_not_taken_from_another_file);
    tcase_add_test(all, symbols_that_were_stored_stand_in_for_a_file_that_is_not_here);
    tcase_add_test(all, symbols_that_were_stored_give_way_to_the_file_that_ran);
    tcase_add_test(all, symbols_that_were_stored_keep_why_there_were_none);
    tcase_add_test(all, symbols_that_make_no_sense_are_left_out);
    tcase_add_test(all, symbols_that_were_stored_keep_where_functions_begin);
    tcase_add_test(all, symbols_name_the_code_of_linux_that_runs_here);
    tcase_add_test(all, symbols_name_what_leads_into_other_files);
    tcase_add_loop_test(all, symbols_say_why_a_file_gives_none, 0,
                        sizeof unreadable_cases / sizeof *unreadable_cases);
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, files_case());
    return suite_run(suite);
}
