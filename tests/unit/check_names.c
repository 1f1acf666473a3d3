/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the names of functions: from the symbol to the source's name, and from that to the room
 * of a row.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "places/places.h"
#include "places/plain_name.h"
#include "places/short_name.h"
#include "suite.h"
#include "symbols/demangle.h"

/* NULL: the name is as in the source already. */
static const struct {
    const char *symbol;
    const char *name;
} symbols[] = {
    {"main", NULL},
    {"", NULL},
    {"_", NULL},
    {"_Z", NULL},
    {"_Znot_mangled", NULL},
    {"_Rnot_mangled", NULL},
    {"_ZN3foo3barEi", "foo::bar(int)"},
    {"_ZN3foo3addIfEEvT_", "void foo::add<float>(float)"},
    {"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const"},
    {"_ZN3foo3barEi.constprop.0", "foo::bar(int)"},
    {"_ZN3foo3barEi.part.0.cold", "foo::bar(int)"},
    {"_ZN3foo3barEi.llvm.123456789", "foo::bar(int)"},
    {"parse.isra.0", "parse"},
    {"parse.cold", "parse"},
    {"parse.part.12.constprop.3.cold.1", "parse"},
    {"parse.y", NULL},
    {"parse.1", NULL},
    {".cold", NULL},
    {"$x.0", NULL},
    {"_ZN4core3ptr13drop_in_place17h0123456789abcdefE", "core::ptr::drop_in_place"},
    {"_ZN66_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$"
     "4drop17h0123456789abcde"
     "fE",
     "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop"},
    {"_RNvCsgStHSCytQ6I_7mycrate3foo", "mycrate::foo"},
    {"_RNvMNtCsgStHSCytQ6I_7mycrate3barNtB2_3Foo3baz", "<mycrate::bar::Foo>::baz"},
};

START_TEST(symbols_are_told_as_the_source_has_them)
{
    struct text text;

    text_init(&text);
    text_append(&text, "in ");
    bool is_told = demangle_append(&text, symbols[_i].symbol);
    ck_assert(is_told == (symbols[_i].name != NULL));
    ck_assert_str_eq(text.bytes + 3, is_told ? symbols[_i].name : "");
    text_fini(&text);
}
END_TEST

/* A name of `depth` templates in one another: "_ZN1a1bI" ... "EE" ... "v". */
static char *make_nested(size_t depth)
{
    struct text text;

    text_init(&text);
    text_append(&text, "_ZN2at6native3addI");
    for (size_t i = 0; i < depth; i++)
        text_append(&text, "1aI");
    text_append(&text, "i");
    for (size_t i = 0; i < depth; i++)
        text_append(&text, "E");
    text_append(&text, "EEvv");
    char *name = strdup(text.bytes);
    text_fini(&text);
    return name;
}

START_TEST(symbols_too_long_to_take_apart_are_told_in_outline)
{
    static const size_t depths[] = {300, 2000, 200000};
    struct text text;

    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        char *name = make_nested(depths[i]);

        text_init(&text);
        ck_assert(demangle_append(&text, name));
        ck_assert_str_eq(text.bytes, "at::native::add<...>");
        text_fini(&text);
        free(name);
    }
}
END_TEST

/* Each argument is a template of the previous one, twice, so the text doubles. */
START_TEST(symbols_that_print_without_end_are_left_as_they_are)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    struct text name, text;

    text_init(&name);
    text_init(&text);
    text_append(&name, "_Z1f1aIiiE");
    for (const char *at = digits; *at; at++)
        text_appendf(&name, "S_IS%c_S%c_E", *at, *at);
    ck_assert(!demangle_append(&text, name.bytes));
    ck_assert_uint_eq(text.size, 0);
    text_fini(&text);
    text_fini(&name);
}
END_TEST

static const struct {
    const char *name;
    const char *row;
} rows[] = {
    {"main", "main"},
    {"", ""},
    {"parse_line", "parse_line"},
    {"foo::bar(int)", "foo::bar"},
    {"foo(int, char const*)", "foo"},
    {"foo::bar(int) const", "foo::bar"},
    {"foo::bar[abi:cxx11](int) const &", "foo::bar"},
    {"void foo::add<float>(float)", "foo::add<float>"},
    {"void foo::add<double, 8>(double)", "foo::add<double, 8>"},
    {"std::vector<int, std::allocator<int> > foo::load<float, std::plus<float> >(int)",
     "foo::load<...>"},
    {"std::vector<int, std::allocator<int> >::push_back(int&&)", "std::vector<...>::push_back"},
    {"(anonymous namespace)::parse(char const*)", "parse"},
    {"net::(anonymous namespace)::parse(char const*)", "net::parse"},
    {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "
     ">::_M_append(char const*, unsigned long)",
     "std::basic_string<...>::_M_append"},
    {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"},
    {"foo(int)::{lambda(auto:1)#2}::operator()(int) const", "foo::{lambda#2}::operator()"},
    {"operator new(unsigned long)", "operator new"},
    {"foo::operator<<(std::ostream&, foo::Bar const&)", "foo::operator<<"},
    {"std::ostream& foo::operator<< <char>(std::ostream&)", "foo::operator<< <char>"},
    {"foo::Bar::operator->() const", "foo::Bar::operator->"},
    {"foo::Bar::operator bool() const", "foo::Bar::operator bool"},
    {"foo::Bar::operator()(int)", "foo::Bar::operator()"},
    {"foo::operators::run(int)", "foo::operators::run"},
    {"double __vector(2) ns::add<double __vector(2)>(double __vector(2) const&)", "ns::add<...>"},
    {"decltype ((a)+(b)) foo::sum<int>(int, int)", "foo::sum<int>"},
    {"foo::~foo()", "foo::~foo"},
    {"<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop", "<Vec<T> as Drop>::drop"},
    {"<mycrate::bar::Foo>::baz", "<Foo>::baz"},
    {"<&mut core::slice::Iter<'_, alloc::string::String> as core::iter::Iterator>::next",
     "<&mut Iter<...> as Iterator>::next"},
    {"core::ptr::drop_in_place::<mycrate::Foo>", "core::ptr::drop_in_place::<...>"},
    {"py::Layer.forward", "py::Layer.forward"},
    {"LazyCompile:~render /home/a/b.js:1:2", "LazyCompile:~render /home/a/b.js:1:2"},
    {"first::second_namespace::third_namespace::fourth_namespace::fifth_namespace::function(int)",
     "...::fourth_namespace::fifth_namespace::function"},
    /* invalid names */
    {"foo::bar<", "foo::bar<"},
    {"foo::bar(", "foo::bar"},
    {"foo::<>>>", "foo::<>>>"},
    {"::", "::"},
    {"<", "<"},
    {"<::", "<"},
    {"operator::", "operator::"},
};

START_TEST(rows_have_names_without_what_only_callers_need)
{
    struct text text;

    text_init(&text);
    short_name_append(&text, rows[_i].name);
    ck_assert_str_eq(text.bytes, rows[_i].row);
    text_fini(&text);
}
END_TEST

static const struct {
    const char *name;
    const char *plain;
} libc_names[] = {
    {"__memmove_avx512_unaligned_erms", "memmove"},
    {"__memcmp_evex_movbe", "memcmp"},
    {"__strcasecmp_l_sse42", "strcasecmp_l"},
    {"__floor_sse41", "floor"},
    {"__strspn_sse4_1", "strspn"},
    {"__ieee754_exp_fma", "exp"},
    {"__fma_fma3", "fma"},
    {"__fma", "fma"},
    {"__GI___libc_write", "write"},
    {"___pthread_mutex_trylock", "pthread_mutex_trylock"},
    {"_int_malloc", "malloc"},
    {"_IO_getline_info", "_IO_getline_info"},
    {"qsort_r", "qsort_r"},
    {"__", "__"},
    {"_avx2", "_avx2"},
    {"", ""},
};

START_TEST(functions_of_the_c_library_have_the_names_that_programs_call)
{
    struct text text;

    text_init(&text);
    plain_name_append(&text, libc_names[_i].name);
    ck_assert_str_eq(text.bytes, libc_names[_i].plain);
    text_fini(&text);
}
END_TEST

static const struct {
    const char *name;
    const char *row;
} python_rows[] = {
    {"handle", "handle"},
    {"handle.<locals>.<genexpr>", "handle <genexpr>"},
    {"Encoder.make.<locals>.dumps", "dumps"},
    {"make.<locals>.handle.<locals>.<lambda>", "handle <lambda>"},
};

START_TEST(a_part_of_a_python_function_is_no_second_row_of_its_name)
{
    struct text text;

    text_init(&text);
    places_append_python_row(&text, python_rows[_i].name);
    ck_assert_str_eq(text.bytes, python_rows[_i].row);
    text_fini(&text);
}
END_TEST

int check_names(void)
{
    Suite *suite = suite_create("names");
    TCase *all = tcase_create("all");

    tcase_add_loop_test(all, symbols_are_told_as_the_source_has_them, 0,
                        sizeof symbols / sizeof *symbols);
    tcase_add_test(all, symbols_too_long_to_take_apart_are_told_in_outline);
    tcase_add_test(all, symbols_that_print_without_end_are_left_as_they_are);
    tcase_add_loop_test(all, rows_have_names_without_what_only_callers_need, 0,
                        sizeof rows / sizeof *rows);
    tcase_add_loop_test(all, a_part_of_a_python_function_is_no_second_row_of_its_name, 0,
                        sizeof python_rows / sizeof *python_rows);
    tcase_add_loop_test(all, functions_of_the_c_library_have_the_names_that_programs_call, 0,
                        sizeof libc_names / sizeof *libc_names);
    suite_add_tcase(suite, all);
    return suite_run_in_pool(suite);
}
