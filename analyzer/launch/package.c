/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whoever makes a package says which; the rule in local.mk defines PACKAGED.
 */
#include "launch/package.h"

#include <string.h>

const char *package_name(void)
{
    static const char package[] = PACKAGED;

    return package[0] ? package : "built from its sources";
}

const char *package_command(void)
{
    static const char wheel[] = "wheel libtprof";

    return strncmp(package_name(), wheel, strlen(wheel)) == 0 ? "libtprof" : "tprof";
}
