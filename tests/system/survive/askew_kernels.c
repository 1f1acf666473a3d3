/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels for askew.c: one whose calls are sometimes timed, and one without a compiled wrapper,
 * whose arguments are partly in floating-point registers and partly on the stack.
 */
double cblas_ddot(int n, const double *x, int x_step, const double *y, int y_step);
void cblas_dsyr2k(int layout, int part, int transpose, int n, int k, double alpha, const double *a,
                  int a_stride, const double *b, int b_stride, double beta, double *c,
                  int c_stride);

double cblas_ddot(int n, const double *x, int x_step, const double *y, int y_step)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i * x_step] * y[i * y_step];
    return sum;
}

/* The sum of all arguments. */
void cblas_dsyr2k(int layout, int part, int transpose, int n, int k, double alpha, const double *a,
                  int a_stride, const double *b, int b_stride, double beta, double *c, int c_stride)
{
    c[0] = layout + part + transpose + n + k + alpha + a[0] + a_stride + b[0] + b_stride + beta +
           c_stride;
}
