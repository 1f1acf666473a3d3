/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints its environment, in its order.
 */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    for (char **entry = environ; *entry; entry++)
        puts(*entry);
    return 7;
}
