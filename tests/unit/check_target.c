/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The examination of a program's file before its start; the file may contain anything.  The files
 * are copies of this program itself with changed bytes.
 */
#include "launch/target.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

enum { IMAGE_MAX = 32 << 20 };

static unsigned char *image;
static size_t image_size;
static char path[] = "check_target.XXXXXX";

static void setup(void)
{
    int descriptor = open("/proc/self/exe", O_RDONLY);
    ssize_t size;

    image = malloc(IMAGE_MAX);
    ck_assert_ptr_nonnull(image);
    size = read(descriptor, image, IMAGE_MAX);
    ck_assert_int_gt(size, (ssize_t)sizeof(Elf64_Ehdr));
    image_size = (size_t)size;
    close(descriptor);
    descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
}

static void teardown(void)
{
    unlink(path);
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
    free(image);
}

/* The image as a file of this many bytes. */
static struct target examine(size_t size)
{
    int descriptor = open(path, O_WRONLY | O_TRUNC);

    ck_assert_int_eq(write(descriptor, image, size), (ssize_t)size);
    close(descriptor);
    return target_examine(path);
}

static Elf64_Ehdr *head(void)
{
    return (Elf64_Ehdr *)(void *)image;
}

START_TEST(target_has_no_obstacle_in_a_usual_program)
{
    struct target target = examine(image_size);

#if defined __SANITIZE_ADDRESS__
    ck_assert(target.must_run_alone);
    ck_assert_ptr_nonnull(strstr(target.obstacle, "AddressSanitizer"));
#else
    ck_assert_ptr_null(target.obstacle);
    ck_assert(!target.must_run_alone);
#endif
}
END_TEST

START_TEST(target_has_no_obstacle_in_what_is_no_program)
{
    ck_assert_ptr_null(target_examine("/no/such/file").obstacle);
    ck_assert_ptr_null(target_examine("/").obstacle);
    ck_assert_ptr_null(examine(0).obstacle);
    memcpy(image, "#!/bin/sh", 9);
    ck_assert_ptr_null(examine(100).obstacle);
}
END_TEST

START_TEST(target_knows_32_bit_programs)
{
    head()->e_ident[EI_CLASS] = ELFCLASS32;
    ck_assert_str_eq(examine(image_size).obstacle, "it is a 32-bit program");
}
END_TEST

START_TEST(target_knows_programs_of_other_machines)
{
    head()->e_machine = EM_S390;
    ck_assert_str_eq(examine(image_size).obstacle, "it is a program for another machine");
}
END_TEST

START_TEST(target_knows_static_programs)
{
    head()->e_phnum = 0;
    ck_assert_str_eq(examine(image_size).obstacle, "it is statically linked");
}
END_TEST

static const struct {
    const char *line;
    const char *interpreter; /* NULL: it is no script */
} scripts[] = {
    {"#!/bin/sh\n", "/bin/sh"},
    {"#! /usr/bin/perl -w\n", "/usr/bin/perl"},
    {"#!/usr/bin/env python3\n", "python3"},
    {"#!/usr/bin/env\n", "/usr/bin/env"},
    {"#!", NULL},
    {"print(1)\n", NULL},
    {"", NULL},
};

START_TEST(target_finds_what_runs_a_script)
{
    char interpreter[64];
    bool is_script;

    memcpy(image, scripts[_i].line, strlen(scripts[_i].line) + 1);
    examine(strlen(scripts[_i].line));
    is_script = target_find_interpreter(path, interpreter, sizeof interpreter);
    ck_assert_int_eq(is_script, scripts[_i].interpreter != NULL);
    if (is_script)
        ck_assert_str_eq(interpreter, scripts[_i].interpreter);
    ck_assert(!target_find_interpreter("/no/such/file", interpreter, sizeof interpreter));
}
END_TEST

START_TEST(target_knows_who_gains_rights)
{
    examine(image_size);
    if (getuid() != 0 || chown(path, 1, 1) != 0)
        return; /* only root can make such a file */
    ck_assert_int_eq(chmod(path, 04755), 0);
    ck_assert_ptr_nonnull(strstr(target_examine(path).obstacle, "set-user-id"));
    ck_assert(!target_examine(path).must_run_alone);
}
END_TEST

START_TEST(target_survives_a_file_cut_anywhere)
{
    for (size_t size = 0; size < image_size; size += 1 + size / 50)
        examine(size);
}
END_TEST

static void write_byte(int descriptor, size_t place, unsigned char value)
{
    ck_assert_int_eq(pwrite(descriptor, &value, 1, (off_t)place), 1);
}

/* All bytes of the header, and of the segments that it refers to, take extreme values. */
START_TEST(target_survives_any_byte_of_the_headers)
{
    size_t end = sizeof(Elf64_Ehdr) + head()->e_phnum * sizeof(Elf64_Phdr);
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    int descriptor = open(path, O_WRONLY);

    examine(image_size);
    for (size_t place = SELFMAG; place < end; place++) {
        for (size_t i = 0; i < sizeof values; i++) {
            write_byte(descriptor, place, values[i]);
            target_examine(path);
        }
        write_byte(descriptor, place, image[place]);
    }
    close(descriptor);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("target");
    TCase *tests = tcase_create("target");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, target_has_no_obstacle_in_a_usual_program);
    tcase_add_test(tests, target_has_no_obstacle_in_what_is_no_program);
    tcase_add_test(tests, target_knows_32_bit_programs);
    tcase_add_test(tests, target_knows_programs_of_other_machines);
    tcase_add_test(tests, target_knows_static_programs);
    tcase_add_loop_test(tests, target_finds_what_runs_a_script, 0,
                        sizeof scripts / sizeof *scripts);
    tcase_add_test(tests, target_knows_who_gains_rights);
    tcase_add_test(tests, target_survives_a_file_cut_anywhere);
    tcase_add_test(tests, target_survives_any_byte_of_the_headers);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
