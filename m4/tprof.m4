dnl SPDX-License-Identifier: GPL-3.0-or-later

dnl The catalog generator runs while tprof is built, so a cross build needs a
dnl compiler for the machine that builds.
AC_DEFUN([TP_PROG_CC_FOR_BUILD], [
  AC_ARG_VAR([CC_FOR_BUILD], [C compiler for programs that run during the build])
  AS_IF([test -z "$CC_FOR_BUILD"], [
    AS_IF([test "$cross_compiling" = yes],
      [AC_CHECK_PROGS([CC_FOR_BUILD], [gcc cc clang])],
      [CC_FOR_BUILD=$CC])])
])

dnl Every warning that gcc and clang agree on; as errors with --enable-werror.
AC_DEFUN([TP_STRICT_WARNINGS], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [make warnings errors])],
    [], [enable_werror=no])
  STRICT_CFLAGS="-std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes"
  STRICT_CFLAGS="$STRICT_CFLAGS -Wconversion -Wsign-conversion -Wundef -Wswitch-enum -Wvla -Wformat=2"
  dnl Constants are enumerators here, which newer versions of clang do not want to see beside
  dnl other numbers; gcc says nothing of an option -Wno- that it does not know.
  STRICT_CFLAGS="$STRICT_CFLAGS -Wno-enum-float-conversion -Wno-enum-enum-conversion"
  AS_IF([test "$enable_werror" = yes], [STRICT_CFLAGS="$STRICT_CFLAGS -Werror"])
  AC_SUBST([STRICT_CFLAGS])
])

dnl --enable-sanitizers=LIST instruments the analyzer and its tests; the shim
dnl is preloaded into programs that do not know them and stays as it is.
AC_DEFUN([TP_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers=LIST], [build the analyzer with -fsanitize=LIST])],
    [], [enable_sanitizers=no])
  AS_IF([test "$enable_sanitizers" != no],
    [SANITIZE_CFLAGS="-fsanitize=$enable_sanitizers -fno-omit-frame-pointer"])
  AC_SUBST([SANITIZE_CFLAGS])
])

dnl TP_LIBRARY(VARIABLE, MODULES, PACKAGES): the analyzer cannot do without it.
AC_DEFUN([TP_LIBRARY], [
  PKG_CHECK_MODULES([$1], [$2], [], [
    AS_IF([test -z "$PKG_CONFIG"],
      [AC_MSG_ERROR([pkg-config is missing: install pkg-config, or run ./bootstrap])])
    AC_MSG_ERROR([pkg-config does not find $2: install $3, or run ./bootstrap])])
])

dnl TP_LEAVE_OUT(TESTS, REASON): said by configure, and by make check in their place.
AC_DEFUN([TP_LEAVE_OUT], [
  AC_MSG_WARN([$2: $1 are left out])
  LEFT_OUT="${LEFT_OUT}$1: $2;"
])

dnl A CBLAS for the samples: OpenBLAS if it is there, else the reference one.
AC_DEFUN([TP_CBLAS], [
  have_cblas=no
  PKG_CHECK_MODULES([BLAS], [openblas], [have_cblas=yes],
    [PKG_CHECK_MODULES([BLAS], [cblas], [have_cblas=yes], [
      AC_CHECK_HEADER([cblas.h], [
        AC_CHECK_LIB([openblas], [cblas_sgemm], [BLAS_LIBS=-lopenblas have_cblas=yes],
          [AC_CHECK_LIB([cblas], [cblas_sgemm], [BLAS_LIBS="-lcblas -lblas" have_cblas=yes])])])])])
  dnl pkg-config may speak of the building machine; only a link is a proof.
  AS_IF([test "$have_cblas" = yes], [
    saved_CPPFLAGS=$CPPFLAGS
    saved_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $BLAS_CFLAGS"
    LIBS="$BLAS_LIBS $LIBS"
    AC_MSG_CHECKING([whether a program links with $BLAS_LIBS])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <cblas.h>]], [[cblas_sscal(0, 0, 0, 0);]])],
      [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])
       have_cblas=no])
    CPPFLAGS=$saved_CPPFLAGS
    LIBS=$saved_LIBS])
  AC_SUBST([BLAS_CFLAGS])
  AC_SUBST([BLAS_LIBS])
  AS_IF([test "$have_cblas" = no],
    [TP_LEAVE_OUT([samples and system tests], [no CBLAS (package libopenblas-dev)])])
  AM_CONDITIONAL([HAVE_CBLAS], [test "$have_cblas" = yes])
])

dnl TP_CC_OPTION(VARIABLE, OPTION): put into the variable where the compiler takes it.
AC_DEFUN([TP_CC_OPTION], [
  AC_MSG_CHECKING([whether $CC takes $2])
  saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $2"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [$1=$2
     AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
  CFLAGS=$saved_CFLAGS
  AC_SUBST([$1])
])

dnl gcc moves the larger part of a wrapper to the section of cold code, since a
dnl call of a cold function stands before it; clang has no such option.
AC_DEFUN([TP_NO_PARTITION],
  [TP_CC_OPTION([NO_PARTITION_CFLAGS], [-fno-reorder-blocks-and-partition])])

dnl The tables of the catalog are longer than the files in which gcc keeps count of columns,
dnl and it tells in a note what it gives up there.
AC_DEFUN([TP_LARGE_SOURCES], [TP_CC_OPTION([LARGE_SOURCES_CFLAGS], [-flarge-source-files])])

dnl The shim's small variables lie between tables of a megabyte, and each first touch of a page
dnl takes a microsecond of every process.  A linker that sorts by alignment puts them together.
AC_DEFUN([TP_SORTED_SECTIONS], [
  AC_CACHE_CHECK([whether the linker sorts sections], [tp_cv_sorted_sections], [
    tp_saved_ldflags=$LDFLAGS
    LDFLAGS="$LDFLAGS -Wl,--sort-section=alignment"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
      [tp_cv_sorted_sections=yes], [tp_cv_sorted_sections=no])
    LDFLAGS=$tp_saved_ldflags])
  AS_IF([test "$tp_cv_sorted_sections" = yes],
    [SORTED_LDFLAGS=-Wl,--sort-section=alignment])
  AC_SUBST([SORTED_LDFLAGS])
])

dnl Automake puts the user's CFLAGS, with a -march=native perhaps, behind the
dnl shim's own; an option given for a processor's part beats that.
AC_DEFUN([TP_NO_AVX], [
  AS_CASE([$host_cpu], [x86_64], [NO_AVX_CFLAGS=-mno-avx])
  AC_SUBST([NO_AVX_CFLAGS])
])

dnl Without vector registers gcc and clang need no aligned stack on x86-64.  AArch64 keeps every
dnl stack aligned.
AC_DEFUN([TP_STACK], [
  AS_CASE([$host_cpu], [x86_64], [STACK_CFLAGS=-mgeneral-regs-only])
  AC_SUBST([STACK_CFLAGS])
  TP_CC_OPTION([NO_IMPLICIT_CFLAGS], [-mno-implicit-float])
])

dnl Where the shim passes a call on it must jump: else its own frame stands in call
dnl chains, and libc takes the shim for the caller of dlsym.  gcc does so from -O2 on,
dnl and an -Og of the user's comes behind the shim's own -O2 too.
AC_DEFUN([TP_SHIM_OPTIMIZED], [
  SHIM_OPTIMIZED_CFLAGS=
  for flag in $CFLAGS; do
    AS_CASE([$flag],
      [-O | -O0 | -O1 | -Og], [SHIM_OPTIMIZED_CFLAGS=-O2],
      [-O*], [SHIM_OPTIMIZED_CFLAGS=])
  done
  AC_SUBST([SHIM_OPTIMIZED_CFLAGS])
])
