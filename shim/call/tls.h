/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests inside of TLS: what OpenSSL gives to the program and takes from it.  A row of
 * libraries_known.
 *
 * A wrapper passes the call on and then tells request/ of the plain bytes.  It changes nothing that
 * the program sees: results, errno and the library's queue of errors.
 *
 * Not seen: a library that is part of a program (BoringSSL in Node and in gRPC), GnuTLS.
 *
 * Budget of a process that accepted no connection: one load a call.
 */
#ifndef CALL_TLS_H
#define CALL_TLS_H

#include "call/library.h"

extern const struct library tls_library;

#endif
