/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls the functions of library.c and prints their results, and leaves some of them by a jump and
 * by the end of a thread.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "library.h"

static jmp_buf back;

static void multiply(void)
{
    static const int rowptr[] = {0, 2, 3, 5}, col[] = {0, 1, 2, 0, 2};
    static const float val[] = {1, 2, 3, 4, 5}, x[] = {1, 2, 3};
    float y[3];

    for (int i = 0; i < 5; i++)
        csr_spmv(3, rowptr, col, val, x, y);
    csr_spmv(0, rowptr, col, val, x, y);
    printf("csr_spmv %g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
}

static void pass_many(float f1)
{
    const int nine = 9;

    printf("many %.17g\n", many(1, 2, 3, 4.5, f1, 6, 7, 8, 9, 10, &nine, 11, 12, 13, 14, 15, 16.25,
                                17.5f, 18, 19, 20, 21));
}

static void take_results(void)
{
    struct words words = give_words(4);
    struct reals reals = give_reals(1);
    struct mixed mixed = give_mixed(7);
    struct floats floats = give_floats(1);
    struct large large = give_large(3);
    double complex z = give_complex(4);
    float complex c = give_float_complex(5);

    printf("words %ld %ld\n", words.a, words.b);
    printf("reals %g %g\n", reals.a, reals.b);
    printf("mixed %ld %g\n", mixed.a, mixed.b);
    printf("floats %g %g %g\n", (double)floats.a, (double)floats.b, (double)floats.c);
    printf("large %ld %ld\n", large.a[0], large.a[4]);
    printf("complex %g %g %g %g\n", creal(z), cimag(z), (double)crealf(c), (double)cimagf(c));
    printf("long double %Lg\n", give_long_double(1.5L));
    printf("variadic %g\n", give_sum(3, 1.0, 2.0, 3.5));
}

static void pass_huge(void)
{
    struct huge huge;

    for (int i = 0; i < 40; i++)
        huge.a[i] = i * i;
    printf("huge %ld\n", take_huge(huge));
}

/* Chunks fill and readings are taken while a vector is in the registers. */
#if defined(__x86_64__)
__attribute__((target("avx"))) static long count_wrong(void)
{
    enum { CALLS = 200000 };
    long wrong = 0;

    for (int i = 0; i < CALLS; i++) {
        vector x = {i, i + 1, i + 2, i + 3};
        vector z = take_vectors(x, (vector){1, 1, 1, 1});

        wrong += z[0] != i - 1 || z[1] != i || z[2] != i + 1 || z[3] != i + 2;
    }
    return wrong;
}

/* The first call in a forked child, or in a thread, finds nothing prepared. */
__attribute__((target("avx"), noinline)) static long is_first_wrong(void)
{
    vector z = take_vectors((vector){1, 2, 3, 4}, (vector){1, 1, 1, 1});

    return z[0] != 0 || z[1] != 1 || z[2] != 2 || z[3] != 3;
}

static void *pass_in_thread(void *unused)
{
    (void)unused;
    return (void *)is_first_wrong();
}

static void pass_vectors_first(void)
{
    pthread_t thread;
    void *is_wrong = NULL;
    int status = 0;
    pid_t child = fork();

    if (child == 0)
        _exit((int)is_first_wrong());
    waitpid(child, &status, 0);
    pthread_create(&thread, NULL, pass_in_thread, NULL);
    pthread_join(thread, &is_wrong);
    printf("first vectors: %d and %d wrong\n", status, is_wrong != NULL);
}

__attribute__((target("avx"), noinline)) static void pass_tenth(void)
{
    vector x = {1, 2, 3, 4};
    vector z = take_tenth(x, x, x, x, x, x, x, x, x, x);

    printf("tenth vector: %g %g %g %g\n", z[0], z[1], z[2], z[3]);
}

static void pass_vectors(void)
{
    if (!__builtin_cpu_supports("avx"))
        return;
    pass_tenth();
    pass_vectors_first();
    printf("vectors: %ld wrong\n", count_wrong());
}
#elif defined(__aarch64__)
typedef __attribute__((aarch64_vector_pcs)) vector (*keeper)(vector x);

static void pass_kept(keeper keep)
{
    register vector kept __asm__("v20") = {3, 4};
    vector twice;

    __asm__ volatile("" : "+w"(kept));
    twice = keep((vector){1, 2});
    printf("vectors %g %g, kept %g %g\n", twice[0], twice[1], kept[0], kept[1]);
}

/* As one that was bound, and as one that was looked up. */
static void pass_vectors(void)
{
    pass_kept(keep_vectors);
    pass_kept((keeper)dlsym(RTLD_DEFAULT, "keep_vectors"));
}
#endif

/* There may be nothing after the last page of a stack. */
static ucontext_t outside, inside;

static void run_at_edge(void)
{
    printf("picked %ld\n", take_picked(21));
}

static void pass_at_edge(void)
{
    size_t size = 262144;
    char *stack =
        mmap(NULL, size + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    mprotect(stack + size, 65536, PROT_NONE);
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = size;
    inside.uc_link = &outside;
    makecontext(&inside, run_at_edge, 0);
    swapcontext(&outside, &inside);
    munmap(stack, size + 65536);
}

static void jump(void *unused)
{
    (void)unused;
    longjmp(back, 1);
}

static void wait_forever(void *unused)
{
    (void)unused;
    for (;;)
        pause();
}

static void quit(void *unused)
{
    pthread_exit(unused);
}

static void *call_and_quit(void *function)
{
    call_back((void (*)(void *))function, NULL);
    return NULL;
}

static void end_thread(void (*function)(void *), int is_cancelled)
{
    pthread_t thread;
    void *result;

    if (pthread_create(&thread, NULL, call_and_quit, (void *)function) != 0)
        return;
    if (is_cancelled)
        pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("thread %s\n", result == PTHREAD_CANCELED ? "cancelled" : "done");
}

/* The second one's source is no address, the third one has none. */
static void multiply_tensors(void)
{
    static const struct tensor source = {{5, 3}, {NULL, NULL}};
    struct tensor result = {{3, 4}, {&source, NULL}};

    product(&result);
    result.sources[0] = (const struct tensor *)0x123456789;
    product(&result);
    result.sources[0] = NULL;
    product(&result);
}

int descend_again(int depth)
{
    return descend(depth);
}

int main(void)
{
    multiply();
    printf("fewer %.17g\n", fewer(1, 2.5, 3, 4, 5, 6, 7, 11, 13, 17.25f, 19));
    sizes(3000000000u, 4294967295u, (size_t)-1);
    multiply_tensors();
    pass_many(5.5f);
    pass_many(0);
    take_results();
    pass_huge();
    pass_vectors();
    pass_at_edge();
    for (volatile int i = 0; i < 3; i++)
        if (setjmp(back) == 0)
            call_back(jump, NULL);
    end_thread(wait_forever, 1);
    end_thread(quit, 0);
    printf("depth %d\n", descend(10000));
    errno = 77;
    give_words(1);
    printf("errno %d\n", errno);
    return 0;
}
