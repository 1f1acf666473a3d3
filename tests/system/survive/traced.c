/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Obtains ten blocks of 0x4d2 bytes while mtrace(3) writes down each.
 */
#include <mcheck.h>
#include <stdlib.h>

int main(void)
{
    mtrace();
    for (int i = 0; i < 10; i++)
        free(malloc(0x4d2));
    return 0;
}
