/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library whose unwind table is the only part of its file that nothing in the library needs.
 */

int call_back_count;

void call_back(void (*called)(void))
{
    called();
    call_back_count++;
}
