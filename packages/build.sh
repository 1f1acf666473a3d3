#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes the packages of targets.table from a source tarball: for each target a folder with the
# programs, from it a tarball for any folder and a wheel; and the Debian packages.
# ./bootstrap packages calls it, on x86-64.  The analyzer's libraries are Debian's, linked
# statically.
#
# Decision: doc/decisions/packages-linked-twice.
#
# Usage: packages/build.sh SOURCES.tar.xz FOLDER
# Environment: ZIG, the command zig; PROCESSORS, such as "x86_64" alone; KINDS, such as "debian";
# DEBFULLNAME and DEBEMAIL, the maintainer of the Debian packages.

set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
sources=$(realpath "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
name=$(basename "$sources" .tar.xz) # tprof-0.1.0
jobs=$(nproc)
: "${ZIG:=python3 -m ziglang}"
: "${PROCESSORS:=x86_64 aarch64}"
: "${KINDS:=tarball wheel debian}"

libraries="libdw-dev,libelf-dev,libjansson-dev,libgsl-dev,libzstd-dev,zlib1g-dev,libyaml-dev"
libraries="$libraries,libunwind-dev,libiberty-dev,libncurses-dev,uthash-dev,liblzma-dev,libbz2-dev"

say() {
    printf 'packages: %s\n' "$*" >&2
}

# Times in packages are those of the sources.
SOURCE_DATE_EPOCH=$(tar -tvf "$sources" --full-time --utc "$name/configure" |
    awk '{ print $4 "T" $5 }' | xargs -I '{}' date -u -d '{}' +%s)
export SOURCE_DATE_EPOCH

# What a step prints goes to a log; its end is shown when the step fails.
log=
clean_up() {
    status=$?
    if [ "$status" -ne 0 ] && [ -n "$log" ]; then
        tail -n 20 "$log" >&2
        say "failed; the whole log is $log"
    fi
    exit "$status"
}
trap clean_up EXIT

targets() {
    sed -e 's/#.*//' -e '/^ *$/d' "$here/targets.table"
}

# ---- programs -----------------------------------------------------------------

# unpack_libraries PROCESSOR ARCHITECTURE: Debian's static libraries and headers for it.
unpack_libraries() {
    system=$out/libraries-$1
    [ -d "$system/usr/include" ] && return
    say "libraries of Debian for $2"
    rm -rf "$system"
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mmdebstrap --quiet --variant=extract --architectures="$2" --include="$libraries" "$suite" \
        "$system" < /dev/null
    mkdir "$system/iberty" # the one library that configure names; a compiler has its own libc
    ln -s "$system/usr/lib/$1-linux-gnu/libiberty.a" "$system/iberty/"
}

# library_settings PROCESSOR: the libraries that configure looks for, as files, a line each.
library_settings() {
    at=$out/libraries-$1/usr/lib/$1-linux-gnu
    for setting in JANSSON='jansson' GSL='gsl gslcblas' ZSTD='zstd' ZLIB='z' YAML='yaml' \
        ELFUTILS='dw elf' UNWIND='unwind-generic unwind' NCURSES='ncursesw tinfo lzma bz2 z'; do
        printf '%s_CFLAGS=%s\n%s_LIBS=' "${setting%%=*}" "-DNCURSES_WIDECHAR=1" "${setting%%=*}"
        for library in ${setting#*=}; do
            printf '%s ' "$at/lib$library.a"
        done
        printf '\n'
    done
    printf '%s\n' "LDFLAGS=-L$out/libraries-$1/iberty"
}

# configure_for PROCESSOR: in the working folder.  The compiler's own C library comes first.
configure_for() {
    processor=$1
    include=$out/libraries-$1/usr/include
    set -- --prefix=/usr/local --libdir=/usr/local/lib PKG_CONFIG=false ac_cv_header_cblas_h=no \
        CFLAGS="-O2 -ffile-prefix-map=$out=." \
        CPPFLAGS="-idirafter $include -idirafter $include/$1-linux-gnu"
    [ "$processor" = "$(uname -m)" ] ||
        set -- "$@" --host="$processor-linux-gnu" CC_FOR_BUILD=cc \
            TPROF_FOR_BUILD="$out/$(uname -m)/analyzer/tprof"
    library_settings "$processor" > settings
    while read -r setting; do
        set -- "$@" "$setting"
    done < settings
    "../$name/configure" --quiet "$@"
}

# configure_once PROCESSOR ARCHITECTURE
configure_once() {
    [ ! -e "$out/$1/Makefile" ] || return 0
    unpack_libraries "$1" "$2"
    log=$out/$1.log
    mkdir -p "$out/$1"
    (cd "$out/$1" && configure_for "$1") > "$log" 2>&1 < /dev/null
}

# How the analyzer is linked: as a command in front of objects and libraries.
# linker PROCESSOR LIBRARY TARGET
linker() {
    compiler=$1-linux-gnu-gcc
    if [ "$3" = static ]; then
        $compiler -O2 -c -o no_loading.o "$here/no_loading.c"
        printf '#!/bin/sh\nexec %s -static -no-pie "$@" %s\n' "$compiler" "$PWD/no_loading.o"
    else
        $compiler -O2 -D_GNU_SOURCE -c -o old_glibc.o "$here/old_glibc.c"
        printf '#!/bin/sh\nexec %s cc -target %s -no-pie "$@" %s\n' "$ZIG" "$3" "$PWD/old_glibc.o"
    fi
}

# make_programs PROCESSOR LIBRARY TARGET PACKAGE FOLDER: link the analyzer, and install.
make_programs() {
    cd "$out/$1"
    linker "$@" > "link-$2"
    chmod +x "link-$2"
    rm -f analyzer/tprof analyzer/launch/package.o
    make -s -j"$jobs" PACKAGED="$4" CCLD="$PWD/link-$2" all
    make -s PACKAGED="$4" CCLD="$PWD/link-$2" prefix="$5" libdir="$5/lib" install-exec install-data
    rm "$5/lib/libtprof.la"
    "$1-linux-gnu-strip" "$5/bin/tprof"
    "$1-linux-gnu-strip" --strip-unneeded "$5/lib/libtprof.so"
}

# install_for: the same, with a log.
install_for() {
    log=$out/$1-$2.log
    (make_programs "$@") > "$log" 2>&1 < /dev/null
    log=
}

# ---- packages -----------------------------------------------------------------

# make_tarball PROCESSOR LIBRARY TARGET
make_tarball() {
    packed=$name-linux-$1-$2
    say "$packed.tar.zst"
    rm -rf "${out:?}/tarball/$packed"
    mkdir -p "$out/tarball/$packed"
    install_for "$1" "$2" "$3" "tarball for $1, $2" "$out/tarball/$packed"
    mkdir "$out/tarball/$packed/doc"
    cp "$out/$name/COPYING" "$out/$name/README.md" "$out/tarball/$packed/"
    cp "$out/$name/doc/transformer.svg" "$out/tarball/$packed/doc/"
    # The folder is named by whoever unpacks it.
    # shellcheck disable=SC2016 # for pkg-config
    sed -i -e 's|^prefix=.*|prefix=${pcfiledir}/../..|' -e 's|^libdir=.*|libdir=${prefix}/lib|' \
        "$out/tarball/$packed/lib/pkgconfig/tprof.pc"
    tar -C "$out/tarball" --sort=name --mtime=@"$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --mode=go=rX,u+rw,a-s --format=gnu -cf - "$packed" |
        zstd -q -19 -f -o "$out/$packed.tar.zst"
}

# make_wheel PROCESSOR LIBRARY TARGET TAG
make_wheel() {
    module=$out/$name/python/libtprof
    if [ ! -d "$module" ]; then
        say "no wheel: $name has no python/libtprof"
        return
    fi
    say "wheel $4"
    rm -rf "${out:?}/wheel/$1-$2"
    mkdir -p "$out/wheel/$1-$2"
    cp -r "$module" "$out/wheel/$1-$2/libtprof"
    install_for "$1" "$2" "$3" "wheel libtprof for $1, $2" "$out/wheel/$1-$2/libtprof"
    python3 "$here/wheel.py" "$out/wheel/$1-$2" "${name#tprof-}" "$4" "$out"
}

# Who makes Debian packages answers for them, and says so as to other tools of Debian.
maintainer() {
    printf '%s <%s>\n' "${DEBFULLNAME:-Local build of tprof}" "${DEBEMAIL:-tprof@local-build.invalid}"
}

make_debian() {
    say "Debian packages"
    rm -rf "$out/debian"
    mkdir "$out/debian"
    tar -C "$out/debian" -xf "$sources"
    cp "$sources" "$out/debian/tprof_${name#tprof-}.orig.tar.xz"
    cp -r "$here/debian" "$out/debian/$name/debian"
    words=$(maintainer | sed 's/[&|\\]/\\&/g')
    sed -i "s|@MAINTAINER@|$words|" "$out/debian/$name/debian/control" \
        "$out/debian/$name/debian/changelog"
    log=$out/debian.log
    (cd "$out/debian/$name" && dpkg-buildpackage -us -uc -j"$jobs") > "$log" 2>&1
    log=
    cp "$out/debian"/*.deb "$out/"
}

# ---- all ----------------------------------------------------------------------

# is_wanted WORD LIST
is_wanted() {
    case " $2 " in *" $1 "*) return 0 ;; esac
    return 1
}

# Files that are the same as last time keep their time, so that only the others are compiled.  These
# have the present time: that in the tarball may be older than their objects.
keep_times() {
    find "$out/new/$name" -type f -exec touch -d "@$(date +%s)" {} +
    [ -d "$out/$name" ] || return 0
    (cd "$out/new/$name" && find . -type f) | while read -r file; do
        ! cmp -s "$out/new/$name/$file" "$out/$name/$file" ||
            touch -r "$out/$name/$file" "$out/new/$name/$file"
    done
}

rm -rf "$out/new"
mkdir "$out/new"
tar -C "$out/new" -xf "$sources"
keep_times
rm -rf "${out:?}/$name"
mv "$out/new/$name" "$out/"
is_any() {
    is_wanted tarball "$KINDS" || is_wanted wheel "$KINDS"
}

# A pipe would make the loop a shell of its own, which shows no log when it fails.
while read -r processor library architecture target tag; do
    is_wanted "$processor" "$PROCESSORS" && is_any || continue
    configure_once "$processor" "$architecture"
    ! is_wanted tarball "$KINDS" || make_tarball "$processor" "$library" "$target"
    ! is_wanted wheel "$KINDS" || make_wheel "$processor" "$library" "$target" "$tag"
done << END
$(targets)
END
! is_wanted debian "$KINDS" || make_debian
cp "$sources" "$out/"
