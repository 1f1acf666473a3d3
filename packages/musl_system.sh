#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes a folder with a system of musl, to try packages in: musl, busybox, Python and numpy.  Debian
# has musl and no Python for it, so CPython of Debian's sources is compiled with musl-gcc.  numpy is
# the wheel of PyPI for musl.
#
# Usage: packages/musl_system.sh FOLDER
# Environment: PIP, the command pip.

set -eu
export LC_ALL=C
: "${PIP:=pip}"
suite=bookworm # its libffi is packed with configure
version=3.11
numpy=numpy==2.1.3 # the libraries in later wheels have relocations (RELR) that musl knows since 1.2.4
keys=/usr/share/keyrings/debian-archive-keyring.gpg
machine=$(uname -m)
rm -rf "$1" "$1.work"
mkdir -p "$1" "$1.work"
system=$(cd "$1" && pwd)
cd "$1.work"
work=$PWD
jobs=$(nproc)

# apt with lists of its own: the machine's may name no sources.
apt() {
    apt-get -q -o Dir::State::lists="$work/lists" -o Dir::Etc::sourcelist="$work/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= "$@"
}

# unpack_source NAME: into the folder NAME.
unpack_source() {
    apt source --download-only "$1"
    mkdir "$1"
    tar -C "$1" --strip-components=1 -xf "$1"_*.orig.tar.*
}

make_zlib() {
    cd "$work/zlib"
    CC=musl-gcc CFLAGS="-O1 -fPIC" ./configure --static --prefix="$work/made"
    make -s -j"$jobs" install libz.a
}

make_libffi() {
    cd "$work/libffi"
    ./configure -q CC=musl-gcc CFLAGS=-O1 --disable-shared --with-pic --disable-docs --disable-exec-static-tramp \
        --disable-multi-os-directory --prefix="$work/made"
    make -s -j"$jobs" install
}

# musl-gcc names the system of gcc, whose headers are those of another C library.
write_compiler() {
    cat > "$work/compiler" << END
#!/bin/sh
case \$1 in
-print-multiarch | --print-multiarch) echo $machine-linux-musl ;;
*) exec musl-gcc "\$@" ;;
esac
END
    chmod +x "$work/compiler"
}

make_python() {
    write_compiler
    mkdir "$work/python$version/build"
    cd "$work/python$version/build"
    PKG_CONFIG=false ../configure -q CC="$work/compiler" OPT="-O1 -DNDEBUG" CPPFLAGS="-I$work/made/include" \
        LDFLAGS="-L$work/made/lib -Wl,--eh-frame-hdr" --prefix=/usr --disable-test-modules
    make -s -j"$jobs" python
    make -s -j"$jobs" sharedmods
}

# What make install would do, without compiling each module of the library three times.
install_python() {
    library=$system/usr/lib/python$version
    mkdir -p "$system/usr/bin" "$library/lib-dynload"
    strip -o "$system/usr/bin/python$version" python
    ln -s "python$version" "$system/usr/bin/python3"
    (cd ../Lib && tar --exclude=test --exclude=idlelib --exclude=lib2to3 -cf - .) | tar -C "$library" -xf -
    cp build/lib.linux-*/*.so "$library/lib-dynload/"
    cp build/lib.linux-*/_sysconfigdata*.py "$library/"
}

install_numpy() {
    $PIP --quiet install --no-deps --only-binary=:all: --platform "musllinux_1_1_$machine" \
        --python-version "$version" --implementation cp --target "$library/site-packages" "$numpy"
}

install_base() {
    cd "$work"
    mkdir -p "$system/lib" "$system/bin" "$system/tmp" "$system/proc" "$system/dev"
    cp "$(realpath "/lib/ld-musl-$machine.so.1")" "$system/lib/ld-musl-$machine.so.1"
    ln -s "ld-musl-$machine.so.1" "$system/lib/libc.musl-$machine.so.1"
    apt-get -q download busybox-static
    dpkg-deb -x busybox-static_*.deb busybox
    cp busybox/bin/busybox "$system/bin/"
    chroot "$system" /bin/busybox --install -s /bin
    mknod -m 666 "$system/dev/null" c 1 3
}

mkdir -p lists/partial
printf 'deb-src [signed-by=%s] http://deb.debian.org/debian %s main\n' "$keys" "$suite" > sources.list
apt update
for source in zlib libffi "python$version"; do
    unpack_source "$source"
done
(make_zlib)
(make_libffi)
make_python
install_python
install_numpy
install_base
rm -rf "$work"
touch "$system/complete"
