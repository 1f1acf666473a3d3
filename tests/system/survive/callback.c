/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library whose function calls another: with a wrapper, it is a kernel that stays open meanwhile.
 */
void call_back(void (*function)(void));

void call_back(void (*function)(void))
{
    function();
}
