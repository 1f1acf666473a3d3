# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads nm -D --defined-only, then objdump -d -w --no-show-raw-insn of libtprof.so for x86-64.
# Prints each instruction that needs an aligned stack, and each function of another library that may,
# in code that the program's calls reach before a function has aligned its stack.
#
# Roots: what is exported, the wrappers, and the stand-ins of platform/next_find.c.

function number(hex,    i, value) {
    value = 0
    for (i = 1; i <= length(hex); i++)
        value = 16 * value + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return value
}

function reach(function_, by) {
    if (function_ in reached || function_ in is_realigned)
        return
    reached[function_] = by
    queue[queued++] = function_
}

function path(function_,    text) {
    for (text = ""; function_ != ""; function_ = reached[function_])
        text = text " < " name[function_]
    return substr(text, 4)
}

BEGIN {
    # They keep no vector on the stack: strings, numbers, bare system calls; and abort(), which clang
    # calls where a cleanup throws.
    count = split("__errno_location abort free getauxval getenv getppid getrlimit getrusage madvise " \
        "bcmp memcmp memcpy memmove memset pthread_self sigaddset sigdelset sigemptyset sigfillset " \
        "sigismember strchr strcmp strcpy strlen strncmp strnlen strrchr strspn strstr sysconf", list, " ")
    for (i = 1; i <= count; i++)
        is_allowed[list[i]] = 1
    split("entry_stubs clone_ timed_ call_ bytes_ lock_ wake_", wrappers, " ")
}

# An export: address, letter, name.
NF == 3 && $1 ~ /^[0-9a-f]+$/ && $2 ~ /^[TW]$/ {
    address = number($1)
    is_root[address] = 1
    is_root_name["find_" $3] = 1
    next
}

/^[0-9a-f]+ <.*>:$/ {
    current = number($1)
    name[current] = substr($2, 2, length($2) - 3)
    if (name[current] in is_root_name)
        is_root[current] = 1
    for (i in wrappers)
        if (index(name[current], wrappers[i]) == 1 && name[current] !~ /@plt/) {
            is_root[current] = 1
            has_wrapper[i] = 1
        }
    next
}

!/^ *[0-9a-f]+:\t/ { next }

{ sub(/^ *[0-9a-f]+:\t/, "") }

/^and +\$0xf+[0-9a-f]*0,%rsp/ { is_realigned[current] = 1 }

/^lea .*\(%r[sb]p/ { of_stack[current, substr($2, length($2) - 2)] = 1 }

/^v?mov(aps|apd|dqa|ntps|ntpd|ntdq) .*\(%/ {
    match($0, /\(%.../)
    base = substr($0, RSTART + 2, 3)
    if (base != "rsp" && base != "rbp" && !((current, base) in of_stack))
        next
    needs[current] = needs[current] "    " $0 "\n"
}

# A jump's target is an address and its place in a function; a plt entry is another library's.
/^(call|j[a-z]+) +[0-9a-f]+ </ {
    target = $3
    gsub(/[<>]/, "", target)
    if (target ~ /@plt/) {
        sub(/@plt.*/, "", target)
        if (!(target in is_allowed))
            needs[current] = needs[current] "    " target "()\n"
        next
    }
    offset = 0
    if (match(target, /\+0x[0-9a-f]+$/))
        offset = number(substr(target, RSTART + 3))
    called[current, ++calls[current]] = number($2) - offset
}

# A function whose address is taken may be called with it.
/^lea .*# [0-9a-f]+ <[^+]*>$/ {
    match($0, /# [0-9a-f]+ /)
    called[current, ++calls[current]] = number(substr($0, RSTART + 2, RLENGTH - 3))
}

END {
    for (i in wrappers)
        if (!(i in has_wrapper))
            print "no function is named " wrappers[i] "..."
    for (root in is_root)
        if (root in name)
            reach(root, "")
    for (i = 0; i < queued; i++)
        for (j = 1; j <= calls[queue[i]]; j++)
            if (called[queue[i], j] in name)
                reach(called[queue[i], j], queue[i])
    for (i = 0; i < queued; i++)
        if (queue[i] in needs)
            printf "%s\n%s", path(queue[i]), needs[queue[i]]
    print queued " functions" > "/dev/stderr"
}
