# SPDX-License-Identifier: GPL-3.0-or-later
#
# C sources from a list of names, one a line:
#   awk -v asks=1 -f names.awk names             a library that calls them and takes their addresses
#   awk -v as=weak -f names.awk names            one that defines them: normal, weak, protected,
#                                                indirect, data, hidden (in the version V1)
# Every function has a name of its own in C, where some have a prototype.

function declare(attributes) {
    printf "extern void f%d(void) __asm__(\"%s\")%s;\n", NR, $1, attributes
}

BEGIN {
    attributes["weak"] = " __attribute__((weak))"
    attributes["protected"] = " __attribute__((visibility(\"protected\")))"
    attributes["indirect"] = " __attribute__((ifunc(\"choose\")))"
    if (as == "indirect")
        print "static void chosen(void) {}\nstatic void *choose(void) { return (void *)chosen; }"
}

asks {
    declare(attributes["weak"])
    next
}

as == "data" {
    printf "int f%d __asm__(\"%s\") = 1;\n", NR, $1
    next
}

as == "hidden" {
    printf "void f%d(void) {}\n__asm__(\".symver f%d,%s@V1\");\n", NR, NR, $1
    next
}

{
    declare(attributes[as])
    if (as != "indirect")
        printf "void f%d(void) {}\n", NR
}

END {
    if (!asks && as != "protected")
        exit
    printf "void *const table[] = {"
    for (i = 1; i <= NR; i++)
        printf "(void *)f%d,\n", i
    print "0};\nvoid call_all(void)\n{"
    for (i = 1; i <= NR; i++)
        printf "    f%d();\n", i
    print "}"
}
