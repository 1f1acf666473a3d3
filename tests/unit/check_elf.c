/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's reading of loaded objects: which pages the linker has protected.
 */
#include <link.h>
#include <sys/auxv.h>

#include "platform/elf.h"
#include "suite.h"

static unsigned long page_size;

/* In place of the C library's: the machine of the test has pages of any size. */
unsigned long getauxval(unsigned long type)
{
    return type == AT_PAGESZ ? page_size : 0;
}

/* An object whose relocated data ends in the midst of a page of 64 KiB. */
static struct elf_object read_object(void)
{
    static const ElfW(Phdr)
        header = {.p_type = PT_GNU_RELRO, .p_vaddr = 0x2fd00, .p_memsz = 0x1300};
    const struct dl_phdr_info info = {.dlpi_addr = 0x100000, .dlpi_phdr = &header, .dlpi_phnum = 1};
    struct elf_object object;

    elf_read(&object, &info);
    return object;
}

START_TEST(what_the_linker_protects_is_told_in_pages_of_the_machine)
{
    struct elf_object object;

    page_size = 4096;
    object = read_object();
    ck_assert_uint_eq(object.protected_start, 0x12f000);
    ck_assert_uint_eq(object.protected_end, 0x131000);
    page_size = 65536;
    object = read_object();
    ck_assert_uint_eq(object.protected_start, 0x120000);
    ck_assert_uint_eq(object.protected_end, 0x130000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("elf");
    TCase *tests = tcase_create("objects");

    tcase_add_test(tests, what_the_linker_protects_is_told_in_pages_of_the_machine);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
