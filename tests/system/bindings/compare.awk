# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the shim would bind (choices.c) against what the linker says that it bound (LD_DEBUG=bindings):
#   awk -f compare.awk linker choices
# Prints each difference, and how many bindings are the same.

function base(path) {
    sub(/.*\//, "", path)
    return path
}

# binding file FILE [0] to DEFINER [0]: normal symbol `NAME' [VERSION]
/binding file .* symbol/ {
    line = $0
    sub(/.*binding file /, "", line)
    split(line, part, " ")
    name = part[8]
    gsub(/[`']/, "", name)
    version = part[9]
    gsub(/[][]/, "", version)
    is_bound[base(part[1]), name, version == "" ? "-" : version, base(part[4])]
    if (!((base(part[1]), name) in first))
        first[base(part[1]), name] = base(part[4])
}

$1 == "slot" {
    slots++
    if (!(($2, $3, $4, $5) in is_bound))
        print "differs: " $0 ", linker: " first[$2, $3]
}

# libasks.so asks for each name as programs do.
$1 == "next" && ("libasks.so", $2) in first {
    nexts++
    if ($3 != first["libasks.so", $2])
        print "differs: " $0 ", linker: " first["libasks.so", $2]
}

END {
    print "slots " slots + 0 ", next " nexts + 0
}
