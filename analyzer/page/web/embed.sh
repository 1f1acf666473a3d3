#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The style and the scripts of the page as C, without their comments.
#
#   embed.sh STYLE SCRIPT... > assets.c
set -eu

# Bytes beyond ASCII would need a look at the signs of char.
strip() {
    if LC_ALL=C grep -n '[^ -~]' "$@" >&2; then
        echo "embed.sh: expected ASCII alone" >&2
        exit 1
    fi
    sed -e '/^ *\/\//d' -e 's/^ *//' "$@"
}

define() {
    echo "const char $1[] = {"
    od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
    echo "0};"
}

# From hexadecimal to base64, by tools that each system has.
hash_of() {
    octal=$(sha256sum | awk '{
        digits = "0123456789abcdef"
        for (i = 1; i <= 64; i += 2) {
            byte = (index(digits, substr($1, i, 1)) - 1) * 16 + index(digits, substr($1, i + 1, 1)) - 1
            printf "\\%03o", byte
        }
    }')
    # shellcheck disable=SC2059 # the octal bytes are the format
    printf "$octal" | base64
}

style=$1
shift
echo '#include "page/assets.h"'
strip "$style" | define page_style
strip "$@" | define page_script
echo "const char page_script_hash[] = \"$(strip "$@" | hash_of)\";"
