/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of program.c: one in the library that it is linked with, one in the library that it
 * opens.
 */
#ifdef OPENED
int opened_kernel(int n);
int opened_kernel(int n)
{
    return 2 * n;
}
#else
int shared_kernel(int n);
int shared_kernel(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += i * i;
    return sum;
}
#endif
