/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library whose function calls another: wrapped, it is a kernel that is open meanwhile.
 */
void call_back(void (*function)(void));

void call_back(void (*function)(void))
{
    function();
}
