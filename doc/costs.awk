# SPDX-License-Identifier: GPL-3.0-or-later
#
# tprof-costs(7) from the catalogs of well-known costs: a tagged paragraph each.
function plain(words)
{
    gsub(/\\/, "\\e", words)
    gsub(/-/, "\\-", words)
    gsub(/^[.']/, "\\\\\\&&", words)
    return words
}

# Names of functions keep their case.
function capital(words)
{
    return words ~ /^[a-z-]+ / ? toupper(substr(words, 1, 1)) substr(words, 2) : words
}

# A sentence a line, as in the other pages.
function say(words)
{
    words = plain(words)
    gsub(/\. +/, ".\n", words)
    print words
}

/^#/ || NF == 0 { next }
{ words = substr($0, length($1) + 2) }
$1 == "of" { print ".SH " toupper(plain(words)) }
$1 == "cost" { name = plain(words) }
$1 == "what" { print ".TP\n.B " plain(capital(words)) "\n(" name ")" }
$1 == "why" || $1 == "repair" || $1 == "unless" { say(words) }
$1 == "source" { print "Source: " plain(words) "." }
