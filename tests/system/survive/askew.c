/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls every function that libtprof.so exports, and some that it hooks, with a stack that is off
 * by 8 bytes: handwritten assembly and old just-in-time compilers do so, and these functions of
 * libc tolerate it.  Each call is made often and from ever new places, on first threads and in
 * forked children, so that the rare paths of the shim run on such a stack, too.  libc does not
 * tolerate it in dlopen(), dlsym() and pthread_create(), with time-outs, and in a second arena of
 * malloc.
 *
 * usage: askew           do it all; prints the blocks and calls
 *        askew list      the functions that are called
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>

#include "nvtx_client.h"
#include "routes/blas.h"
#include "survive.h"

enum {
    PAGE = 4096,
    BLOCKS = 100000, /* more than fit into a thread's first chunk */
    DEPTH = 40,
    LABELS = 300, /* more than a lane remembers */
    CALLS = 3000,
    ROUNDS = 20
};

/* Of askew_kernels.c. */
double cblas_ddot(int n, const double *x, int x_step, const double *y, int y_step);
void cblas_dsyr2k(int layout, int part, int transpose, int n, int k, double alpha, const double *a,
                  int a_stride, const double *b, int b_stride, double beta, double *c,
                  int c_stride);
void call_back(void (*function)(void)); /* in callback.c */

typedef long (*any_function)(long, long, long, long, long);

/* Call a function of up to five arguments on a stack that is off by 8, as if it were variadic with
 * floating-point arguments. */
long askew_call(any_function function, long a, long b, long c, long d, long e);

__asm__(".text\n"
        ".globl askew_call\n"
        ".type askew_call, @function\n"
        "askew_call:\n"
        "\t.cfi_startproc\n"
        "\tpushq %rbp\n"
        "\t.cfi_def_cfa_offset 16\n"
        "\t.cfi_offset %rbp, -16\n"
        "\tmovq %rsp, %rbp\n"
        "\t.cfi_def_cfa_register %rbp\n"
        "\tsubq $8, %rsp\n"
        "\tmovq %rdi, %r11\n"
        "\tmovq %rsi, %rdi\n"
        "\tmovq %rdx, %rsi\n"
        "\tmovq %rcx, %rdx\n"
        "\tmovq %r8, %rcx\n"
        "\tmovq %r9, %r8\n"
        "\tmovl $8, %eax\n"
        "\tcall *%r11\n"
        "\tleave\n"
        "\t.cfi_def_cfa %rsp, 8\n"
        "\tret\n"
        "\t.cfi_endproc\n"
        "\t.size askew_call, . - askew_call\n");

static void askew(void (*function)(void))
{
    askew_call((any_function)function, 0, 0, 0, 0, 0);
}

static void expect(bool is_true, const char *what)
{
    if (!is_true)
        survive_give_up(what);
}

static void work(void (*function)(void))
{
    tprof_region_begin("work");
    askew(function);
    tprof_region_end("work");
}

static _Atomic unsigned calls; /* of the kernel */

/* Functions that some libcs lack, or whose prototypes differ; NULL: there is none. */
static struct other {
    const char *name;
    any_function function;
} others[] = {
    {"cfree", NULL},       {"free_sized", NULL},    {"free_aligned_sized", NULL},
    {"signal", NULL},      {"bsd_signal", NULL},    {"sysv_signal", NULL},
    {"__sysv_signal", NULL}, {"sigset", NULL},      {"siginterrupt", NULL},
    {"sigignore", NULL},   {"__ppoll_chk", NULL},   {"epoll_pwait2", NULL},
    {"mremap", NULL},      {"prctl", NULL},         {"syscall", NULL},
    {"pkey_mprotect", NULL},
    {"execveat", NULL},
    {"execl", NULL},       {"execlp", NULL},        {"execle", NULL},
    {"setuid", NULL},      {"seteuid", NULL},       {"setreuid", NULL},
    {"setresuid", NULL},   {"chroot", NULL},        {"unshare", NULL},
    {"setns", NULL},
};

enum { OTHERS = sizeof others / sizeof *others };

/* dlsym() of libc needs an aligned stack. */
static void find_others(void)
{
    for (int i = 0; i < OTHERS; i++)
        *(void **)&others[i].function = dlsym(RTLD_DEFAULT, others[i].name);
}

/* Returns: -1 where the function does not exist. */
static long call(const char *name, long a, long b, long c, long d, long e)
{
    for (int i = 0; i < OTHERS; i++)
        if (strcmp(others[i].name, name) == 0 && others[i].function)
            return askew_call(others[i].function, a, b, c, d, e);
    return -1;
}

/* ---- blocks ---------------------------------------------------------------- */

static void *held[DEPTH];

static void descend(int depth)
{
    held[depth] = survive_obtain((size_t)depth * 7 + 1);
    if (depth > 0)
        descend(depth - 1);
    survive_release(held[depth]);
}

static void obtain_blocks(void)
{
    for (int i = 0; i < BLOCKS; i++)
        survive_release(survive_obtain((size_t)i % 999 + 1));
    for (int depth = 0; depth < DEPTH; depth++)
        descend(depth);
}

static void resize_blocks(void)
{
    for (size_t i = 1; i < CALLS; i++) {
        void *block = survive_count(calloc(i, 2), 2 * i);

        survive_release(survive_resize(survive_resize(block, i), 100 * i));
    }
}

static void align_blocks(void)
{
    void *block;

    for (size_t size = 1; size < CALLS; size++) {
        survive_release(survive_count(memalign(64, size), size));
        survive_release(survive_count(aligned_alloc(PAGE, size), size));
        survive_release(survive_count(valloc(size), size));
        survive_release(survive_count(pvalloc(size), size));
        expect(posix_memalign(&block, 32, size) == 0, "posix_memalign");
        survive_release(survive_count(block, size));
    }
}

/* The first three others.  The shim has them where libc has none. */
static void free_otherwise(void)
{
    for (int i = 0; i < 3; i++) {
        long block = (long)survive_obtain(64);

        survive_truth.frees++;
        if (!others[i].function)
            free((void *)block);
        else
            call(others[i].name, block, i == 2 ? 16 : 64, 64, 0, 0);
    }
}

static void fail_blocks(void)
{
    void *block = NULL;

    expect(!malloc(SIZE_MAX / 2) && !calloc(SIZE_MAX / 4, 1), "the memory of all machines");
    expect(posix_memalign(&block, 3, 8) == EINVAL && !block, "an alignment of 3");
}

/* ---- mappings -------------------------------------------------------------- */

static void map_memory(void)
{
    for (int i = 0; i < CALLS; i++) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS;
        char *at = i % 2 ? mmap(NULL, PAGE, PROT_READ | PROT_WRITE, flags, -1, 0)
                         : mmap64(NULL, PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);

        at = (char *)call("mremap", (long)at, PAGE, 2 * PAGE, MREMAP_MAYMOVE, 0);
        expect(at != MAP_FAILED, "mremap");
        at[PAGE] = 1;
        expect(munmap(at, 2 * PAGE) == 0, "munmap");
    }
}

/* A limit may refuse to lock, and the processor may have no keys. */
static void protect_memory(void)
{
    int segment = shmget(IPC_PRIVATE, PAGE, IPC_CREAT | 0600);
    char *at = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    expect(mprotect(at, PAGE, PROT_READ | PROT_WRITE) == 0, "mprotect");
    call("pkey_mprotect", (long)at, PAGE, PROT_READ | PROT_WRITE, 0, 0);
    *at = 1;
    expect(shmat(segment, at, SHM_REMAP) == at, "shmat");
    shmdt(at);
    shmctl(segment, IPC_RMID, NULL);
    mlockall(MCL_CURRENT | MCL_ONFAULT);
    munlockall();
}

/* ---- regions and kernels --------------------------------------------------- */

static char labels[LABELS][8];

static void open_regions(void)
{
    for (int i = 0; i < CALLS; i++) {
        tprof_region_begin(labels[i % LABELS]);
        tprof_region_begin("inner");
        tprof_region_end("inner");
        tprof_region_end(labels[i % LABELS]);
    }
}

/* Where the shim is there.  The first start, which calls dlopen, is aligned. */
extern int InitializeInjectionNvtx2(nvtx_get_table get_table) __attribute__((weak));
extern int InitializeInjectionNvtx2Preinject(nvtx_get_table get_table) __attribute__((weak));
extern void __itt_api_init(void *global, uint32_t groups) __attribute__((weak));

static void mark_ranges(void)
{
    for (int i = 0; i < CALLS; i++) {
        struct nvtx_attributes look = nvtx_look(labels[i % LABELS]);

        nvtx_push(labels[i % LABELS]);
        look.payload_type = 1;
        look.colour_type = 1;
        nvtx_push_with(&look);
        nvtx_mark_with(&look);
        nvtx_pop();
        nvtx_pop();
        nvtx_range_end(nvtx_range_start_wide(L"span"));
    }
    nvtx_name_category(1, "category");
    nvtx_name_thread(1, "thread");
    nvtx_register(nvtx_domain("domain"), "name");
    getenv("NVTX_INJECTION64_PATH");
    getenv("INTEL_LIBITTNOTIFY64");
    if (InitializeInjectionNvtx2 && InitializeInjectionNvtx2Preinject && __itt_api_init) {
        InitializeInjectionNvtx2(nvtx_table);
        InitializeInjectionNvtx2Preinject(NULL);
        __itt_api_init(NULL, 0);
    }
}

static void tell_numbers(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        tprof_metric(labels[i], 1.5);
        tprof_items(1);
        tprof_request_begin((uint64_t)i);
        tprof_request_end((uint64_t)i);
        tprof_snapshot(labels[i]);
        tprof_trace();
    }
}

static void run_kernels(void)
{
    static float ones[4] = {1, 1, 1, 1}, sum[4];
    static const double numbers[4] = {1, 2, 3, 4};
    static double total;

    for (int i = 0; i < CALLS; i++) {
        cblas_sgemm(101, 111, 111, 1 + i % 2, 1 + i / 2 % 2, 1, 1, ones, 2, ones, 2, 0, sum, 2);
        calls++;
        expect(cblas_ddot(1 + i % 4, numbers, 1, numbers, 1) >= 1, "a product");
        cblas_dsyr2k(1, 2, 3, 4, 5 + i % 3, 0.5, numbers, 8, numbers, 9, 0.25, &total, 10);
        expect(total == 44.75 + i % 3, "the sum of all arguments");
    }
}

/* The outer one has a stub, because its arguments are unknown. */
static void call_kernel_inside(void)
{
    call_back(run_kernels);
}

/* ---- libraries ------------------------------------------------------------- */

static void open_libraries(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        void *library = dlopen("./libother.so", RTLD_NOW);
        void (*run)(void (*)(void));

        expect(library != NULL, "dlopen");
        expect(dlsym(library, "cblas_sgemm") != NULL, "dlsym");
        *(void **)&run = dlsym(library, "call_back");
        run(open_regions);
        dlvsym(library, "cblas_sgemm", "NONE_1");
        expect(dlsym(RTLD_DEFAULT, "cblas_sgemm") != NULL, "dlsym");
        expect(dlclose(library) == 0, "dlclose");
    }
}

static void open_other_space(void)
{
    void *library = dlmopen(LM_ID_NEWLM, "./libother.so", RTLD_NOW);

    if (library)
        dlclose(library);
}

/* ---- signals --------------------------------------------------------------- */

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
    (void)number;
    signals++;
}

static void handle_signals(void)
{
    static const char *const names[] = {"signal", "bsd_signal", "sysv_signal", "__sysv_signal",
                                        "sigset"};
    static struct sigaction action;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (call(names[i], SIGUSR1, (long)on_signal, 0, 0, 0) != -1)
            kill(getpid(), SIGUSR1);
    call("siginterrupt", SIGUSR1, 1, 0, 0, 0);
    call("sigignore", SIGUSR1, 0, 0, 0, 0);
    action.sa_handler = on_signal;
    expect(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
    for (int number = 1; number < SIGRTMIN; number++)
        sigaction(number, NULL, &action);
}

static void *stack_of_signals;

static void mask_signals(void)
{
    static const struct timespec at_once;
    static sigset_t usr1, old;
    static siginfo_t info;
    static stack_t stack;
    int number;
    int descriptor;

    sigaddset(&usr1, SIGUSR1);
    for (int i = 0; i < ROUNDS; i++) {
        expect(sigprocmask(SIG_BLOCK, &usr1, &old) == 0, "sigprocmask");
        expect(pthread_sigmask(SIG_BLOCK, &usr1, NULL) == 0, "pthread_sigmask");
        kill(getpid(), SIGUSR1);
        expect(sigpending(&old) == 0 && sigismember(&old, SIGUSR1), "sigpending");
        expect(sigtimedwait(&usr1, &info, &at_once) == SIGUSR1, "sigtimedwait");
        kill(getpid(), SIGUSR1);
        expect(sigwaitinfo(&usr1, NULL) == SIGUSR1, "sigwaitinfo");
        kill(getpid(), SIGUSR1);
        expect(sigwait(&usr1, &number) == 0, "sigwait");
        kill(getpid(), SIGUSR1);
        sigemptyset(&old);
        expect(sigsuspend(&old) == -1, "sigsuspend");
        expect(sigprocmask(SIG_UNBLOCK, &usr1, NULL) == 0, "sigprocmask");
        descriptor = signalfd(-1, &usr1, 0);
        expect(descriptor >= 0, "signalfd");
        close(descriptor);
        stack.ss_sp = stack_of_signals;
        stack.ss_size = 16 * PAGE;
        expect(sigaltstack(&stack, NULL) == 0, "sigaltstack");
        stack.ss_flags = SS_DISABLE;
        expect(sigaltstack(&stack, NULL) == 0, "sigaltstack");
        stack.ss_flags = 0;
    }
}

/* ---- waits ----------------------------------------------------------------- */

static _Thread_local int ends[2]; /* of a pipe */

/* ppoll() and pselect() of libc tolerate it without a timeout, so there is a byte. */
static void wait_for_bytes(void)
{
    static struct pollfd polled;
    static struct epoll_event event;
    static fd_set set;
    int epoll = epoll_create1(0);
    char byte = 'x';

    polled.fd = ends[0];
    polled.events = event.events = POLLIN;
    expect(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0, "epoll_ctl");
    for (int i = 0; i < ROUNDS; i++) {
        expect(poll(&polled, 1, 1) == 0, "poll");
        expect(write(ends[1], &byte, 1) == 1, "write");
        expect(ppoll(&polled, 1, NULL, NULL) == 1, "ppoll");
        FD_SET(ends[0], &set);
        expect(pselect(ends[0] + 1, &set, NULL, NULL, NULL, NULL) == 1, "pselect");
        expect(epoll_pwait(epoll, &event, 1, 1, NULL) == 1, "epoll_pwait");
        call("epoll_pwait2", epoll, (long)&event, 1, 0, 0);
        call("__ppoll_chk", (long)&polled, 1, 0, 0, sizeof polled);
        expect(read(ends[0], &byte, 1) == 1, "read");
    }
    close(epoll);
}

static void ask_kernel(void)
{
    static const struct timespec soon = {0, 1000000};
    static unsigned futex;

    for (int i = 0; i < ROUNDS; i++) {
        call("syscall", SYS_futex, (long)&futex, FUTEX_WAIT_PRIVATE, 0, (long)&soon);
        call("syscall", SYS_futex, (long)&futex, FUTEX_WAKE_PRIVATE, 1, 0);
        call("syscall", SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0);
        call("prctl", PR_SET_SECCOMP, 2, 0, 0, 0);
        call("prctl", PR_SET_TSC, 1000, 0, 0, 0);
    }
}

/* The process keeps its user, its root and its mounts. */
static void keep_rights(void)
{
    long user = geteuid();

    for (int i = 0; i < ROUNDS; i++) {
        call("setuid", user, 0, 0, 0, 0);
        call("seteuid", user, 0, 0, 0, 0);
        call("setreuid", -1, user, 0, 0, 0);
        call("setresuid", -1, user, -1, 0, 0);
        call("chroot", (long)"/nowhere", 0, 0, 0, 0);
        call("unshare", 0, 0, 0, 0, 0);
        call("setns", -1, 0, 0, 0, 0);
    }
}

/* ---- threads and processes ------------------------------------------------- */

static void *begin(void *unused)
{
    askew(run_kernels); /* begins the thread's recording */
    work(obtain_blocks);
    return unused;
}

static int begin_plainly(void *unused)
{
    expect(pipe(ends) == 0, "pipe");
    askew(wait_for_bytes);
    return unused != NULL;
}

static void *begin_nothing(void *unused)
{
    return unused;
}

static int begin_plain_nothing(void *unused)
{
    return unused != NULL;
}

static void end_threads(void)
{
    const struct timespec late = {.tv_sec = (time_t)1 << 40};
    pthread_t threads[4];
    thrd_t plain_thread;

    for (int i = 0; i < 4; i++)
        expect(pthread_create(&threads[i], NULL, begin_nothing, NULL) == 0, "pthread_create");
    pthread_detach(threads[0]);
    pthread_timedjoin_np(threads[1], NULL, &late);
    pthread_clockjoin_np(threads[2], NULL, CLOCK_MONOTONIC, &late);
    while (pthread_tryjoin_np(threads[3], NULL) != 0)
        sched_yield();
    expect(thrd_create(&plain_thread, begin_plain_nothing, NULL) == thrd_success, "thrd_create");
    thrd_detach(plain_thread);
}

static void run_threads(void)
{
    pthread_t thread;
    thrd_t plain_thread;

    end_threads();

    for (int i = 0; i < 3; i++) {
        expect(pthread_create(&thread, NULL, begin, NULL) == 0, "pthread_create");
        expect(thrd_create(&plain_thread, begin_plainly, NULL) == thrd_success, "thrd_create");
        pthread_join(thread, NULL);
        thrd_join(plain_thread, NULL);
    }
}

static char *const arguments[] = {"true", NULL};

static void leave(void)
{
    _exit(3);
}

static void leave_by_capital(void)
{
    _Exit(3);
}

static void leave_quickly(void)
{
    quick_exit(3);
}

static void execute(void)
{
    pid_t child;

    execve("/nowhere", arguments, environ);
    execv("/nowhere", arguments);
    execvp("/nowhere", arguments);
    execvpe("/nowhere", arguments, environ);
    fexecve(-1, arguments, environ);
    call("execveat", AT_FDCWD, (long)"/nowhere", (long)arguments, (long)environ, 0);
    posix_spawn(&child, "/nowhere", NULL, NULL, arguments, environ);
    posix_spawnp(&child, "/nowhere", NULL, NULL, arguments, environ);
    call("execl", (long)"/nowhere", (long)"true", 0, 0, 0);
    call("execlp", (long)"/nowhere", (long)"true", 0, 0, 0);
    call("execle", (long)"/nowhere", (long)"true", 0, (long)environ, 0);
    execl("/bin/sh", "sh", "-c", "exit 3", NULL);
}

/* Its first record is of this function. */
static void run_child(void (*first)(void), void (*last)(void))
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        askew(first);
        askew(last);
        _exit(1);
    }
    expect(waitpid(child, &status, 0) == child, "waitpid");
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 3, "the child's end");
}

static void run_children(void)
{
    run_child(obtain_blocks, leave);
    run_child(run_kernels, leave_by_capital);
    run_child(open_regions, leave_quickly);
    run_child(map_memory, execute);
    run_child(wait_for_bytes, execute);
}

/* ---- all of them ----------------------------------------------------------- */

static const struct row {
    void (*run)(void);
    bool is_aligned; /* it calls others that do not tolerate it */
    const char *names;
} rows[] = {
    {obtain_blocks, false, "malloc free"},
    {resize_blocks, false, "calloc realloc"},
    {align_blocks, false, "memalign aligned_alloc posix_memalign valloc pvalloc"},
    {free_otherwise, false, "cfree free_sized free_aligned_sized"},
    {fail_blocks, false, ""},
    {map_memory, false, "mmap mmap64 munmap mremap"},
    {protect_memory, false, "mprotect pkey_mprotect shmat mlockall munlockall"},
    {open_regions, false, "tprof_record_region_begin tprof_record_region_end"},
    {mark_ranges, false,
     "getenv InitializeInjectionNvtx2 InitializeInjectionNvtx2Preinject __itt_api_init"},
    {tell_numbers, false,
     "tprof_record_metric tprof_record_items tprof_record_request_begin tprof_record_request_end "
     "tprof_record_snapshot tprof_record_trace"},
    {run_kernels, false, ""},
    {call_kernel_inside, false, ""},
    {open_libraries, true, "dlopen dlsym dlvsym dlclose"},
    {open_other_space, true, "dlmopen"},
    {handle_signals, false,
     "signal bsd_signal sysv_signal __sysv_signal sigset siginterrupt sigignore sigaction"},
    {mask_signals, false,
     "sigprocmask pthread_sigmask sigpending sigtimedwait sigwaitinfo sigwait sigsuspend signalfd "
     "sigaltstack"},
    {wait_for_bytes, false, "ppoll pselect epoll_pwait epoll_pwait2 __ppoll_chk"},
    {ask_kernel, false, "syscall prctl"},
    {keep_rights, false, "setuid seteuid setreuid setresuid chroot unshare setns"},
    {run_threads, true,
     "pthread_create thrd_create pthread_join thrd_join pthread_detach thrd_detach "
     "pthread_timedjoin_np pthread_clockjoin_np pthread_tryjoin_np"},
    {run_children, true,
     "_exit _Exit quick_exit execve execv execvp execvpe fexecve execveat execl execlp "
     "execle posix_spawn posix_spawnp"},
};

enum { ROWS = sizeof rows / sizeof *rows };

static int list(void)
{
    for (int i = 0; i < ROWS; i++)
        printf("%s ", rows[i].names);
    return 0;
}

int main(int count, char **unused)
{
    (void)unused;
    if (count > 1)
        return list();
    for (int i = 0; i < LABELS; i++)
        snprintf(labels[i], sizeof labels[i], "l%d", i);
    stack_of_signals = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                            -1, 0);
    expect(pipe(ends) == 0, "pipe");
    mallopt(M_ARENA_MAX, 1); /* another arena takes an aligned stack */
    find_others();
    nvtx_start();
    for (int i = 0; i < ROWS; i++)
        if (rows[i].is_aligned)
            rows[i].run();
        else
            work(rows[i].run);
    survive_print();
    survive_say("calls", calls);
    return 0;
}
