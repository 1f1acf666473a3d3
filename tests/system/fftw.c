/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans from all of FFTW's interfaces, executed, with their truth printed:
 * "kernel|shape|calls|FLOPs of all|bytes of all".  Compiled once for each precision: PREFIX is
 * fftw_, fftwf_ or fftwl_, REAL its number type, TYPE its name, FORTRAN the prefix of the
 * subroutines for Fortran, which are called in Fortran's way.
 */
#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GLUE(prefix, name) prefix##name
#define EXPANDED(prefix, name) GLUE(prefix, name)
#define X(name) EXPANDED(PREFIX, name)

enum { ROOM = 1 << 16 };

static X(complex) * a, *b;
static REAL *r, *s;

static void say(const char *kernel, const char *shape, int calls, double flops, size_t numbers)
{
    printf("%s|%s types=%s|%d|%.0f|%zu\n", kernel, shape, TYPE, calls, calls * flops,
           (size_t)calls * numbers * sizeof(REAL));
}

static double nominal(double factor, double n, double batch)
{
    return factor * n * log2(n) * batch;
}

static void run(X(plan) plan, int calls)
{
    for (int i = 0; i < calls; i++)
        X(execute)(plan);
    X(destroy_plan)(plan);
}

/* Equal shapes are of different calls, which are one row. */
static void basic(void)
{
    int sizes[] = {4, 6, 8, 5, 3};

    run(X(plan_dft_1d)(1024, a, b, FFTW_FORWARD, FFTW_ESTIMATE), 3);
    run(X(plan_dft_2d)(32, 48, a, b, FFTW_BACKWARD, FFTW_ESTIMATE), 1);
    run(X(plan_dft_3d)(4, 8, 16, a, b, FFTW_FORWARD, FFTW_ESTIMATE), 1);
    run(X(plan_dft)(5, sizes, a, b, FFTW_FORWARD, FFTW_ESTIMATE), 1);
    say("fftw_dft", "n0=1024", 3, nominal(5, 1024, 1), 4 * 1024);
    say("fftw_dft", "n0=32 n1=48", 1, nominal(5, 1536, 1), 4 * 1536);
    say("fftw_dft", "n0=4 n1=8 n2=16", 1, nominal(5, 512, 1), 4 * 512);
    say("fftw_dft", "n0=4 n1=6 n2=8 n3=15", 1, nominal(5, 2880, 1), 4 * 2880);
}

static void real(void)
{
    int sizes[] = {6, 10};
    X(r2r_kind) kinds[] = {FFTW_REDFT10, FFTW_RODFT00};

    run(X(plan_dft_r2c_1d)(1024, r, a, FFTW_ESTIMATE), 2);
    run(X(plan_dft_r2c_2d)(32, 48, r, a, FFTW_ESTIMATE), 1);
    run(X(plan_dft_c2r_3d)(4, 8, 15, a, r, FFTW_ESTIMATE), 1);
    run(X(plan_dft_c2r)(2, sizes, a, r, FFTW_ESTIMATE), 1);
    run(X(plan_r2r_1d)(100, r, s, FFTW_DHT, FFTW_ESTIMATE), 1);
    run(X(plan_r2r_2d)(9, 11, r, s, FFTW_R2HC, FFTW_DHT, FFTW_ESTIMATE), 1);
    run(X(plan_r2r)(2, sizes, r, s, kinds, FFTW_ESTIMATE), 1);
    say("fftw_dft_r2c", "n0=1024", 2, nominal(2.5, 1024, 1), 1024 + 2 * 513);
    say("fftw_dft_r2c", "n0=32 n1=48", 1, nominal(2.5, 1536, 1), 1536 + 2 * 32 * 25);
    say("fftw_dft_c2r", "n0=4 n1=8 n2=15", 1, nominal(2.5, 480, 1), 480 + 2 * 32 * 8);
    say("fftw_dft_c2r", "n0=6 n1=10", 1, nominal(2.5, 60, 1), 60 + 2 * 6 * 6);
    say("fftw_r2r", "n0=100", 1, nominal(2.5, 100, 1), 2 * 100);
    say("fftw_r2r", "n0=9 n1=11", 1, nominal(2.5, 99, 1), 2 * 99);
    say("fftw_r2r", "n0=6 n1=10", 1, nominal(2.5, 60, 1), 2 * 60);
}

static void many(void)
{
    int size = 64;
    X(r2r_kind) kind = FFTW_REDFT01;

    run(X(plan_many_dft)(1, &size, 7, a, NULL, 1, 64, b, NULL, 1, 64, FFTW_FORWARD, FFTW_ESTIMATE),
        1);
    run(X(plan_many_dft_r2c)(1, &size, 5, r, NULL, 1, 64, a, NULL, 1, 33, FFTW_ESTIMATE), 1);
    run(X(plan_many_dft_c2r)(1, &size, 5, a, NULL, 1, 33, r, NULL, 1, 64, FFTW_ESTIMATE), 1);
    run(X(plan_many_r2r)(1, &size, 3, r, NULL, 1, 64, s, NULL, 1, 64, &kind, FFTW_ESTIMATE), 1);
    say("fftw_dft", "batch=7 n0=64", 1, nominal(5, 64, 7), 7 * 4 * 64);
    say("fftw_dft_r2c", "batch=5 n0=64", 1, nominal(2.5, 64, 5), 5 * (64 + 2 * 33));
    say("fftw_dft_c2r", "batch=5 n0=64", 1, nominal(2.5, 64, 5), 5 * (64 + 2 * 33));
    say("fftw_r2r", "batch=3 n0=64", 1, nominal(2.5, 64, 3), 3 * 2 * 64);
}

static void guru(void)
{
    X(iodim) sizes[] = {{16, 20, 20}, {20, 1, 1}}, batch[] = {{3, 1600, 1600}, {2, 800, 800}};
    X(iodim64) sizes64[] = {{40, 1, 1}}, batch64[] = {{6, 40, 40}};
    X(r2r_kind) kind = FFTW_HC2R;

    run(X(plan_guru_dft)(2, sizes, 2, batch, a, b, FFTW_FORWARD, FFTW_ESTIMATE), 1);
    run(X(plan_guru64_dft_r2c)(1, sizes64, 1, batch64, r, a, FFTW_ESTIMATE), 1);
    run(X(plan_guru64_r2r)(1, sizes64, 0, NULL, r, s, &kind, FFTW_ESTIMATE), 1);
    say("fftw_dft", "batch=6 n0=16 n1=20", 1, nominal(5, 320, 6), 6 * 4 * 320);
    say("fftw_dft_r2c", "batch=6 n0=40", 1, nominal(2.5, 40, 6), 6 * (40 + 2 * 21));
    say("fftw_r2r", "n0=40", 1, nominal(2.5, 40, 1), 2 * 40);
}

/* Executed on other arrays than the plan's, or on halves of one. */
static void execute_on(void)
{
    X(iodim) size = {128, 1, 1};
    X(plan) plan = X(plan_dft_1d)(200, a, b, FFTW_FORWARD, FFTW_ESTIMATE);
    X(plan)
    split = X(plan_guru_split_dft)(1, &size, 0, NULL, r, r + 128, s, s + 128, FFTW_ESTIMATE);
    X(plan) half = X(plan_guru_split_dft_r2c)(1, &size, 0, NULL, r, s, s + 128, FFTW_ESTIMATE);

    X(execute_dft)(plan, a, b);
    X(execute)(plan);
    X(execute_split_dft)(split, r, r + 128, s, s + 128);
    X(execute_split_dft_r2c)(half, r, s, s + 128);
    X(destroy_plan)(plan);
    X(destroy_plan)(split);
    X(destroy_plan)(half);
    say("fftw_dft", "n0=200", 2, nominal(5, 200, 1), 4 * 200);
    say("fftw_dft", "n0=128", 1, nominal(5, 128, 1), 4 * 128);
    say("fftw_dft_r2c", "n0=128", 1, nominal(2.5, 128, 1), 128 + 2 * 65);
}

/* ---- as from Fortran ---------------------------------------------------- */

#define FORTRAN_GLUE(prefix, name) prefix##name##_
#define FORTRAN_EXPANDED(prefix, name) FORTRAN_GLUE(prefix, name)
#define F(name) FORTRAN_EXPANDED(FORTRAN, name)
#define TWO_UNDERSCORES_GLUE(prefix, name) prefix##name##__
#define TWO_UNDERSCORES_EXPANDED(prefix, name) TWO_UNDERSCORES_GLUE(prefix, name)
#define F2(name) TWO_UNDERSCORES_EXPANDED(FORTRAN, name)

void F(plan_dft_1d)(int64_t *plan, const int *n, void *in, void *out, const int *sign,
                    const int *flags);
void F(plan_dft_3d)(int64_t *plan, const int *nx, const int *ny, const int *nz, void *in, void *out,
                    const int *sign, const int *flags);
void F(plan_dft_r2c_2d)(int64_t *plan, const int *nx, const int *ny, void *in, void *out,
                        const int *flags);
void F2(plan_dft_c2r)(int64_t *plan, const int *rank, const int *n, void *in, void *out,
                      const int *flags);
void F(plan_r2r_2d)(int64_t *plan, const int *nx, const int *ny, void *in, void *out,
                    const int *kind_x, const int *kind_y, const int *flags);
void F(plan_many_dft)(int64_t *plan, const int *rank, const int *n, const int *howmany, void *in,
                      const int *inembed, const int *istride, const int *idist, void *out,
                      const int *onembed, const int *ostride, const int *odist, const int *sign,
                      const int *flags);
void F(plan_guru_dft)(int64_t *plan, const int *rank, const int *n, const int *is, const int *os,
                      const int *howmany_rank, const int *h_n, const int *h_is, const int *h_os,
                      void *in, void *out, const int *sign, const int *flags);
void F(plan_guru_dft_r2c)(int64_t *plan, const int *rank, const int *n, const int *is,
                          const int *os, const int *howmany_rank, const int *h_n, const int *h_is,
                          const int *h_os, void *in, void *out, const int *flags);
void F(execute)(const int64_t *plan);
void F(execute_dft)(const int64_t *plan, void *in, void *out);
void F(execute_dft_r2c)(const int64_t *plan, void *in, void *out);
void F2(execute_dft_c2r)(const int64_t *plan, void *in, void *out);
void F(execute_r2r)(const int64_t *plan, void *in, void *out);
void F(destroy_plan)(int64_t *plan);

/* Strides show the order of the sizes, which is not reversed. */
static void fortran_guru(void)
{
    const int n[] = {6, 22}, is[] = {22, 1}, os[] = {12, 1}, batch[] = {3, 2}, far[] = {264, 132};
    const int none = 0, two = 2, sign = FFTW_FORWARD, flags = FFTW_ESTIMATE;
    int64_t plans[2];

    F(plan_guru_dft)(&plans[0], &two, n, is, is, &two, batch, far, far, a, b, &sign, &flags);
    F(plan_guru_dft_r2c)(&plans[1], &two, n, is, os, &none, NULL, NULL, NULL, r, a, &flags);
    F(execute_dft)(&plans[0], a, b);
    F(execute_dft_r2c)(&plans[1], r, a);
    F(execute_dft_r2c)(&plans[1], r, a);
    F(destroy_plan)(&plans[0]);
    F(destroy_plan)(&plans[1]);
    say("fftw_dft", "batch=6 n0=6 n1=22", 1, nominal(5, 132, 6), 6 * 4 * 132);
    say("fftw_dft_r2c", "n0=6 n1=22", 2, nominal(2.5, 132, 1), 132 + 2 * 6 * 12);
}

/* The first dimension of Fortran is the last of C. */
static void fortran(void)
{
    const int n[] = {10, 6}, many[] = {26}, nx = 14, ny = 12, nz = 18;
    const int one = 1, two = 2, howmany = 9, sign = FFTW_FORWARD, flags = FFTW_ESTIMATE;
    const int kind = FFTW_DHT;
    int64_t plans[5], again;

    F(plan_dft_3d)(&plans[0], &nx, &ny, &nz, a, b, &sign, &flags);
    F(plan_dft_r2c_2d)(&plans[1], &nx, &ny, r, a, &flags);
    F2(plan_dft_c2r)(&plans[2], &two, n, a, r, &flags);
    F(plan_r2r_2d)(&plans[3], &nx, &ny, r, s, &kind, &kind, &flags);
    F(plan_many_dft)
    (&plans[4], &one, many, &howmany, a, NULL, &one, many, b, NULL, &one, many, &sign, &flags);
    F(execute_dft)(&plans[0], a, b);
    F(execute)(&plans[0]);
    F(execute_dft_r2c)(&plans[1], r, a);
    F2(execute_dft_c2r)(&plans[2], a, r);
    F(execute_r2r)(&plans[3], r, s);
    F(execute)(&plans[4]);
    for (int i = 0; i < 5; i++)
        F(destroy_plan)(&plans[i]);
    for (int i = 0; i < 100; i++) {
        F(plan_dft_1d)(&again, i % 2 ? &nx : &ny, a, b, &sign, &flags);
        F(execute_dft)(&again, a, b);
        F(destroy_plan)(&again);
    }
    say("fftw_dft", "n0=18 n1=12 n2=14", 2, nominal(5, 3024, 1), 4 * 3024);
    say("fftw_dft_r2c", "n0=12 n1=14", 1, nominal(2.5, 168, 1), 168 + 2 * 12 * 8);
    say("fftw_dft_c2r", "n0=6 n1=10", 1, nominal(2.5, 60, 1), 60 + 2 * 6 * 6);
    say("fftw_r2r", "n0=12 n1=14", 1, nominal(2.5, 168, 1), 2 * 168);
    say("fftw_dft", "batch=9 n0=26", 1, nominal(5, 26, 9), 9 * 4 * 26);
    say("fftw_dft", "n0=14", 50, nominal(5, 14, 1), 4 * 14);
    say("fftw_dft", "n0=12", 50, nominal(5, 12, 1), 4 * 12);
}

static void *execute_in_thread(void *plan)
{
    X(execute_dft)(*(X(plan) *)plan, a, b);
    return NULL;
}

/* Plans made by another thread; reused addresses of plans. */
static void threads(void)
{
    X(plan) plan = X(plan_dft_1d)(90, a, b, FFTW_FORWARD, FFTW_ESTIMATE);
    pthread_t thread;

    pthread_create(&thread, NULL, execute_in_thread, &plan);
    pthread_join(thread, NULL);
    X(destroy_plan)(plan);
    say("fftw_dft", "n0=90", 1, nominal(5, 90, 1), 4 * 90);
    for (int i = 0; i < 1000; i++)
        run(X(plan_dft_1d)(i % 2 ? 81 : 77, a, b, FFTW_FORWARD, FFTW_ESTIMATE), 1);
    say("fftw_dft", "n0=81", 500, nominal(5, 81, 1), 4 * 81);
    say("fftw_dft", "n0=77", 500, nominal(5, 77, 1), 4 * 77);
}

/* A plan that the parent made; the child's trace has its own truth. */
static int execute_in_child(void)
{
    X(plan) plan = X(plan_dft_1d)(60, a, b, FFTW_FORWARD, FFTW_ESTIMATE);
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        X(execute)(plan);
        X(execute)(plan);
        exit(0);
    }
    waitpid(child, &status, 0);
    X(destroy_plan)(plan);
    say("fftw_dft", "n0=60", 2, nominal(5, 60, 1), 4 * 60);
    return status;
}

int main(int argc, char **argv)
{
    a = X(alloc_complex)(ROOM);
    b = X(alloc_complex)(ROOM);
    r = X(alloc_real)(2 * ROOM);
    s = X(alloc_real)(2 * ROOM);
    memset(a, 0, ROOM * sizeof *a);
    memset(r, 0, 2 * ROOM * sizeof *r);
    if (argc > 1 && strcmp(argv[1], "fork") == 0)
        return execute_in_child();
    if (argc > 1 && strcmp(argv[1], "fortran") == 0) {
        fortran();
        fortran_guru();
        return 0;
    }
    basic();
    real();
    many();
    guru();
    execute_on();
    threads();
    return 0;
}
