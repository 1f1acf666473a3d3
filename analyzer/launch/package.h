/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The package that brought this program and its shim.
 */
#ifndef LAUNCH_PACKAGE_H
#define LAUNCH_PACKAGE_H

/* Name the package, such as "Debian package".  configure --with-package or make PACKAGED= sets
 * the name. */
const char *package_name(void);

/* Name the command that starts this program.  The wheel's is libtprof: packages/wheel.py says
 * why. */
const char *package_command(void);

#endif
