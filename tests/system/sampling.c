/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that meet the signal of the samples.  Each prints its observations, which must be the
 * same with the shim and without.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS_MAX = 512, SMALL_STACK = 16384 };

static volatile double sink;
static volatile sig_atomic_t count;
static volatile sig_atomic_t foreign;
static sigjmp_buf back;

static double cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static __attribute__((noinline)) void turn(int times)
{
    for (int i = 0; i < times; i++)
        sink = sink * 1.0001 + 1;
}

/* Use this much processor time. */
static void burn(double ms)
{
    double end = cpu_ms() + ms;

    while (cpu_ms() < end)
        turn(1000);
}

static void count_signal(int number)
{
    (void)number;
    count++;
}

static void count_info(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    count++;
    foreign += info->si_code != SI_TKILL && info->si_code != SI_USER;
}

static void print_action(const char *when, const struct sigaction *action)
{
    bool is_default = action->sa_handler == SIG_DFL;

    printf("%s: %s flags %x own in mask %d\n", when, is_default ? "default" : "a handler",
           (unsigned)action->sa_flags & 0x7fffffffu & ~0x04000000u,
           sigismember(&action->sa_mask, SIGIO));
}

static void print_stack(const char *when)
{
    stack_t stack;

    sigaltstack(NULL, &stack);
    printf("%s: signal stack of %zu bytes, flags %d, at %s\n", when, stack.ss_size, stack.ss_flags,
           stack.ss_sp ? "an address" : "no address");
}

static void print_mask(const char *when)
{
    sigset_t mask, pending;

    sigprocmask(SIG_SETMASK, NULL, &mask);
    sigpending(&pending);
    printf("%s: blocked %d, pending %d\n", when, sigismember(&mask, SIGIO),
           sigismember(&pending, SIGIO));
}

static int run_asks(void)
{
    struct sigaction action;

    sigaction(SIGIO, NULL, &action);
    print_action("at start", &action);
    print_stack("at start");
    print_mask("at start");
    burn(30);
    print_mask("later");
    printf("default by signal: %d\n", signal(SIGIO, SIG_DFL) == SIG_DFL);
    sigaction(SIGIO, NULL, &action);
    print_action("later", &action);
    return 0;
}

static int run_handler(void)
{
    struct sigaction action = {.sa_sigaction = count_info, .sa_flags = SA_SIGINFO}, old;

    burn(40);
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGIO, &action, &old);
    print_action("before", &old);
    burn(60);
    for (int i = 0; i < 3; i++)
        raise(SIGIO);
    burn(20);
    printf("came %d, of another sender %d\n", (int)count, (int)foreign);
    sigaction(SIGIO, NULL, &old);
    print_action("while", &old);
    printf("mine %d\n", old.sa_sigaction == count_info);
    action.sa_flags = (int)SA_RESETHAND;
    action.sa_handler = count_signal;
    sigaction(SIGIO, &action, &old);
    printf("mine %d\n", old.sa_sigaction == count_info);
    raise(SIGIO);
    sigaction(SIGIO, NULL, &old);
    print_action("reset", &old);
    printf("came %d\n", (int)count);
    return 0;
}

static int run_signal(void)
{
    burn(40);
    printf("default %d\n", signal(SIGIO, count_signal) == SIG_DFL);
    burn(40);
    raise(SIGIO);
    printf("mine %d, came %d\n", signal(SIGIO, SIG_IGN) == count_signal, (int)count);
    raise(SIGIO);
    printf("ignored %d, came %d\n", signal(SIGIO, SIG_DFL) == SIG_IGN, (int)count);
    return 0;
}

static void *send_later(void *to)
{
    burn(60);
    pthread_kill(*(pthread_t *)to, SIGUSR1);
    return NULL;
}

/* All signals are blocked, and the thread uses processor time: which signals does sigwait
 * return? */
static int run_sigwait(void)
{
    pthread_t self = pthread_self(), other;
    sigset_t all;
    int number = 0;

    sigfillset(&all);
    burn(20);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    burn(50);
    pthread_create(&other, NULL, send_later, &self);
    sigwait(&all, &number);
    printf("sigwait: %s\n", strsignal(number));
    pthread_join(other, NULL);
    burn(30);
    pthread_kill(self, SIGUSR2);
    printf("sigwaitinfo: %s\n", strsignal(sigwaitinfo(&all, NULL)));
    burn(30);
    number = sigtimedwait(&all, NULL, &(struct timespec){0, 1000000});
    printf("sigtimedwait: %d %s\n", number, strerror(errno));
    pthread_kill(self, SIGIO);
    printf("sigwaitinfo: %s\n", strsignal(sigwaitinfo(&all, NULL)));
    return 0;
}

static int run_signalfd(void)
{
    struct signalfd_siginfo info = {0};
    struct pollfd poll_of = {.events = POLLIN};
    sigset_t all;

    sigfillset(&all);
    burn(20);
    sigprocmask(SIG_BLOCK, &all, NULL);
    burn(30);
    poll_of.fd = signalfd(-1, &all, SFD_NONBLOCK);
    burn(50);
    printf("nothing yet: %d\n", poll(&poll_of, 1, 0));
    raise(SIGUSR2);
    burn(30);
    while (read(poll_of.fd, &info, sizeof info) == (ssize_t)sizeof info)
        printf("signalfd: %s\n", strsignal((int)info.ssi_signo));
    return 0;
}

static volatile sig_atomic_t was_on_stack;

static void look_at_stack(int number)
{
    stack_t stack;

    (void)number;
    sigaltstack(NULL, &stack);
    was_on_stack = (stack.ss_flags & SS_ONSTACK) != 0;
    burn(20);
    count++;
}

static void stack_round(const char *what)
{
    raise(SIGUSR1);
    printf("%s: handler on the signal stack %d, came %d\n", what, (int)was_on_stack, (int)count);
}

static int run_altstack(void)
{
    static char room[65536], small[8192];
    stack_t mine = {.ss_sp = room, .ss_size = sizeof room}, old;
    struct sigaction action = {.sa_handler = look_at_stack, .sa_flags = SA_ONSTACK}, found;

    burn(20);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR1, NULL, &found);
    print_action("handler", &found);
    stack_round("none");
    print_stack("none");
    printf("set %d\n", sigaltstack(&mine, &old));
    printf("before %d %zu\n", old.ss_flags, old.ss_size);
    print_stack("mine");
    stack_round("mine");
    burn(30);
    mine = (stack_t){.ss_sp = small, .ss_size = sizeof small};
    printf("set %d\n", sigaltstack(&mine, &old));
    printf("before %d %zu\n", old.ss_flags, old.ss_size);
    burn(30);
    stack_round("small");
    mine = (stack_t){.ss_flags = SS_DISABLE};
    printf("disabled %d\n", sigaltstack(&mine, &old));
    printf("before %d %zu\n", old.ss_flags, old.ss_size);
    print_stack("disabled");
    burn(30);
    stack_round("disabled");
    mine = (stack_t){.ss_sp = small, .ss_size = 16};
    printf("too small %d %s\n", sigaltstack(&mine, NULL), strerror(errno));
    return 0;
}

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/* A stack with just enough room for the frame of the kernel, as in Rust. */
static int run_least_stack(void)
{
    static char room[65536];
    size_t frame = getauxval(AT_MINSIGSTKSZ);
    stack_t mine = {.ss_sp = room, .ss_size = frame > 4096 ? frame : 4096}, old;
    struct sigaction action = {.sa_handler = look_at_stack, .sa_flags = SA_ONSTACK};

    sigaction(SIGUSR1, &action, NULL);
    printf("set %d\n", sigaltstack(&mine, &old));
    printf("before %d %zu\n", old.ss_flags, old.ss_size);
    print_stack("least");
    burn(100);
    stack_round("least");
    printf("set %d\n", sigaltstack(&mine, &old));
    printf("before %d %zu, own %d\n", old.ss_flags, old.ss_size, old.ss_sp == room);
    mine = (stack_t){.ss_flags = SS_DISABLE};
    printf("disabled %d\n", sigaltstack(&mine, &old));
    printf("before %d %zu, own %d\n", old.ss_flags, old.ss_size, old.ss_sp == room);
    print_stack("disabled");
    burn(20);
    return 0;
}

/* The signal is blocked outside of the calls, and not in them. */
static int run_unblocking(void)
{
    sigset_t all, none, but_alarm;
    int interrupted = 0;
    int queue = epoll_create1(0);
    struct epoll_event event;

    sigfillset(&all);
    sigemptyset(&none);
    sigfillset(&but_alarm);
    sigdelset(&but_alarm, SIGIO);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 300; i++) {
        const struct timespec soon = {0, 100000};

        burn(1);
        interrupted += ppoll(NULL, 0, &soon, &none) < 0;
        interrupted += pselect(0, NULL, NULL, NULL, &soon, &none) < 0;
        interrupted += epoll_pwait(queue, &event, 1, 1, &but_alarm) < 0;
    }
    printf("interrupted %d\n", interrupted);
    print_mask("at the end");
    return 0;
}

static int run_suspend(void)
{
    const struct itimerval soon = {.it_value.tv_usec = 20000};
    sigset_t all, but_alarm;

    signal(SIGALRM, count_signal);
    sigfillset(&all);
    sigfillset(&but_alarm);
    sigdelset(&but_alarm, SIGIO);
    sigdelset(&but_alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 20; i++) {
        burn(6);
        setitimer(ITIMER_REAL, &soon, NULL);
        sigsuspend(&but_alarm);
    }
    printf("came %d\n", (int)count);
    return 0;
}

static bool is_interrupted(int result)
{
    return result < 0 && errno == EINTR;
}

/* Calls that wait, between stretches of processor time of all lengths. */
static int run_waiting(int rounds)
{
    int interrupted = 0;
    int queue = epoll_create1(0);
    struct epoll_event event;
    sem_t semaphore;

    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < rounds; i++) {
        struct timespec soon = {0, 1000}, end;

        turn(i % 97 * 100);
        interrupted += is_interrupted(poll(NULL, 0, 0));
        interrupted += is_interrupted(nanosleep(&soon, NULL));
        turn(i % 89 * 100);
        interrupted += is_interrupted(epoll_wait(queue, &event, 1, 0));
        interrupted += is_interrupted(select(0, NULL, NULL, NULL, &(struct timeval){0, 1}));
        turn(i % 83 * 100);
        clock_gettime(CLOCK_REALTIME, &end);
        interrupted += is_interrupted(sem_timedwait(&semaphore, &end));
    }
    printf("interrupted %d\n", interrupted);
    return 0;
}

static void *burn_a_while(void *ms)
{
    burn(*(const int *)ms);
    return NULL;
}

static int run_threads(int threads, int ms)
{
    pthread_t all[THREADS_MAX];
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, SMALL_STACK);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&all[i], &attributes, burn_a_while, &ms) != 0)
            return 1;
    for (int i = 0; i < threads; i++)
        pthread_join(all[i], NULL);
    printf("%d threads\n", threads);
    return 0;
}

/* Threads that ended must leave no timers. */
static int run_timers(void)
{
    int timers = 0;
    char line[256];
    FILE *file;

    for (int i = 0; i < 10; i++)
        run_threads(20, 1);
    file = fopen("/proc/self/timers", "r");
    while (file && fgets(line, sizeof line, file))
        timers += strncmp(line, "ID:", 3) == 0;
    fprintf(stderr, "timers %d\n", timers);
    return 0;
}

static pthread_barrier_t barrier;

static void *wait_for_all(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

static int run_sleepers(int threads)
{
    pthread_t all[THREADS_MAX];

    pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&all[i], NULL, wait_for_all, NULL) != 0)
            return 1;
    burn(200);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < threads; i++)
        pthread_join(all[i], NULL);
    printf("%d threads\n", threads);
    return 0;
}

static void jump(int number)
{
    (void)number;
    count++;
    siglongjmp(back, 1);
}

/* Out of handlers, on their own stack too. */
static int run_jumps(bool keeps_mask)
{
    static char room[65536];
    const stack_t mine = {.ss_sp = room, .ss_size = sizeof room};
    const struct itimerval often = {{0, 3000}, {0, 3000}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = jump, .sa_flags = SA_ONSTACK | SA_NODEFER};

    sigaltstack(&mine, NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    sigsetjmp(back, keeps_mask);
    while (count < 50)
        burn(5);
    setitimer(ITIMER_REAL, &never, NULL);
    printf("jumped %d\n", count >= 50);
    print_mask("at the end");
    return 0;
}

static void burn_in_handler(int number)
{
    (void)number;
    burn(1.5);
    count++;
}

static int run_nested(void)
{
    static char room[16384];
    const stack_t mine = {.ss_sp = room, .ss_size = sizeof room};
    const struct itimerval often = {{0, 4000}, {0, 4000}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = burn_in_handler, .sa_flags = SA_ONSTACK}, found;

    sigaltstack(&mine, NULL);
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGALRM, NULL, &found);
    print_action("handler", &found);
    setitimer(ITIMER_REAL, &often, NULL);
    while (count < 100)
        burn(1);
    setitimer(ITIMER_REAL, &never, NULL);
    printf("nested\n");
    return 0;
}

/* Generated code that keeps data where a handler's frame would be. */
static int run_below_stack(void)
{
#if defined(__x86_64__)
    long damaged = 0;

    for (int i = 0; i < 200000; i++) {
        long value = 0;

        __asm__ volatile("mov %%rsp, %%rax\n\t"
                         "sub $4096, %%rsp\n\t"
                         "mov $77, %%rcx\n\t"
                         "mov %%rcx, -2048(%%rsp)\n\t"
                         "mov $300, %%rdx\n\t"
                         "1: dec %%rdx\n\t"
                         "jnz 1b\n\t"
                         "mov -2048(%%rsp), %0\n\t"
                         "mov %%rax, %%rsp"
                         : "=&r"(value)
                         :
                         : "rax", "rcx", "rdx", "memory", "cc");
        damaged += value != 77;
    }
    printf("damaged %ld\n", damaged);
#else
    printf("damaged 0\n");
#endif
    return 0;
}

static int run_fork(size_t megabytes)
{
    size_t size = megabytes << 20;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    pid_t child;

    memset(memory, 1, size);
    child = fork();
    if (child == 0) {
        burn(300);
        free(malloc(100));
        burn(300);
        exit(3);
    }
    burn(200);
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
    return 0;
}

static int run_exec(char **argv)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        burn(50);
        execl(argv[0], argv[0], "asks", (char *)NULL);
        _exit(1);
    }
    waitpid(child, &status, 0);
    printf("child %d %d\n", WIFEXITED(status), WEXITSTATUS(status));
    burn(50);
    fflush(stdout);
    execl(argv[0], argv[0], "asks", (char *)NULL);
    return 1;
}

/* In strict mode a thread may read, write, end and return from handlers. */
static int run_sandbox(void)
{
    static const char said[] = "in the sandbox\n";

    burn(60);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        return 1;
    turn(30000000);
    if (write(STDOUT_FILENO, said, sizeof said - 1) < 0)
        return 1;
    syscall(SYS_exit, 0);
    return 1;
}

static int number_of(int argc, char **argv, int which, int otherwise)
{
    return argc > which ? atoi(argv[which]) : otherwise;
}

int main(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";
    int first = number_of(argc, argv, 2, 8), second = number_of(argc, argv, 3, 50);

    if (strcmp(verb, "burn") == 0)
        return burn(first), 0;
    if (strcmp(verb, "asks") == 0)
        return run_asks();
    if (strcmp(verb, "handler") == 0)
        return run_handler();
    if (strcmp(verb, "signal") == 0)
        return run_signal();
    if (strcmp(verb, "sigwait") == 0)
        return run_sigwait();
    if (strcmp(verb, "signalfd") == 0)
        return run_signalfd();
    if (strcmp(verb, "least") == 0)
        return run_least_stack();
    if (strcmp(verb, "altstack") == 0)
        return run_altstack();
    if (strcmp(verb, "unblocking") == 0)
        return run_unblocking();
    if (strcmp(verb, "suspend") == 0)
        return run_suspend();
    if (strcmp(verb, "waiting") == 0)
        return run_waiting(first);
    if (strcmp(verb, "threads") == 0)
        return run_threads(first, second);
    if (strcmp(verb, "timers") == 0)
        return run_timers();
    if (strcmp(verb, "sleepers") == 0)
        return run_sleepers(first);
    if (strcmp(verb, "jumps") == 0)
        return run_jumps(true);
    if (strcmp(verb, "nested") == 0)
        return run_nested();
    if (strcmp(verb, "below") == 0)
        return run_below_stack();
    if (strcmp(verb, "fork") == 0)
        return run_fork((size_t)first);
    if (strcmp(verb, "sandbox") == 0)
        return run_sandbox();
    if (strcmp(verb, "exec") == 0)
        return run_exec(argv);
    return 2;
}
