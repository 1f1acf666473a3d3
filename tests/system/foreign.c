/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that receive signals from others, and that check what signals do to them.  Each prints
 * its observations, which must be the same with the shim and without.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ptrace.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_MS = 20, WAIT_MS = 60, MASK_SIZE = 8, NUMBERS_END = 65 };

static const struct timespec wait_span = {0, WAIT_MS * 1000000};
static volatile double sink;
static volatile sig_atomic_t count;
static sigjmp_buf back;

/* ---- helpers ------------------------------------------------------------------ */

static double cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Use this much processor time, so that some samples come. */
static void burn(double ms)
{
    double end = cpu_ms() + ms;

    while (cpu_ms() < end)
        for (int i = 0; i < 1000; i++)
            sink = sink * 1.0001 + 1;
}

/* A child sends the signal soon. */
static pid_t send_soon(int number)
{
    pid_t parent = getpid(), child = fork();

    if (child != 0)
        return child;
    usleep(PAUSE_MS * 1000);
    kill(parent, number);
    _exit(0);
}

static void await(pid_t child)
{
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void print_mask(const char *when, const sigset_t *mask)
{
    printf("%s:", when);
    for (int number = 1; number < NUMBERS_END; number++)
        if (sigismember(mask, number) == 1)
            printf(" %d", number);
    printf("\n");
}

static void print_blocked(const char *when)
{
    sigset_t mask;

    sigprocmask(SIG_SETMASK, NULL, &mask);
    print_mask(when, &mask);
}

static void count_signal(int number)
{
    (void)number;
    count++;
}

/* ---- calls that wait ------------------------------------------------------------ */

static int foreign; /* the signal that comes meanwhile */

static void begin_wait(pid_t *child)
{
    burn(5);
    *child = send_soon(foreign);
    errno = 0;
}

static void end_wait(const char *name, long result, pid_t child)
{
    printf("%s: %ld %s\n", name, result, result < 0 ? strerror(errno) : "-");
    await(child);
}

#define WAIT(name, call)                                                                           \
    do {                                                                                           \
        pid_t child;                                                                               \
                                                                                                   \
        begin_wait(&child);                                                                        \
        end_wait(name, (long)(call), child);                                                       \
    } while (0)

static struct timespec deadline(void)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += wait_span.tv_nsec;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    return end;
}

static void wait_in_files(void)
{
    const struct timeval span = {0, WAIT_MS * 1000};
    struct timeval left = span;
    struct epoll_event event;
    int queue = epoll_create1(0), pair[2];
    char byte;

    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &span, sizeof span);
    WAIT("poll", poll(NULL, 0, WAIT_MS));
    WAIT("ppoll", ppoll(NULL, 0, &wait_span, NULL));
    WAIT("epoll_wait", epoll_wait(queue, &event, 1, WAIT_MS));
    WAIT("select", select(0, NULL, NULL, NULL, &left));
    WAIT("pselect", pselect(0, NULL, NULL, NULL, &wait_span, NULL));
    WAIT("recv", recv(pair[0], &byte, 1, 0));
}

static int run_waits(int number)
{
    struct timespec end;
    sigset_t alarm_alone;
    sem_t semaphore;

    foreign = number;
    sem_init(&semaphore, 0, 0);
    sigemptyset(&alarm_alone);
    sigaddset(&alarm_alone, SIGALRM);
    wait_in_files();
    WAIT("nanosleep", nanosleep(&wait_span, NULL));
    WAIT("usleep", usleep(WAIT_MS * 1000));
    end = deadline();
    WAIT("sem_timedwait", sem_timedwait(&semaphore, &end));
    WAIT("sigtimedwait", sigtimedwait(&alarm_alone, NULL, &wait_span));
    return 0;
}

/* The kernel sends SIGURG to the owner of a socket for urgent data. */
static int run_urgent(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), sender = socket(AF_INET, SOCK_STREAM, 0);
    int receiver;
    pid_t child;

    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0 ||
        connect(sender, (struct sockaddr *)&address, size) != 0)
        return 1;
    receiver = accept(listener, NULL, NULL);
    fcntl(receiver, F_SETOWN, getpid());
    burn(20);
    child = fork();
    if (child == 0) {
        usleep(PAUSE_MS * 1000);
        _exit(send(sender, "!", 1, MSG_OOB) == 1 ? 0 : 1);
    }
    errno = 0;
    end_wait("poll", poll(NULL, 0, WAIT_MS), child);
    return 0;
}

/* ---- SIGIO that ends the program -------------------------------------------------- */

static void *raise_here(void *unused)
{
    burn(10);
    raise(SIGIO);
    return unused;
}

static void die_by_kill(void)
{
    kill(getpid(), SIGIO);
    burn(1000);
}

static void die_in_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, raise_here, NULL);
    pthread_join(thread, NULL);
}

static void die_in_suspend(void)
{
    sigset_t all, none;

    sigfillset(&all);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &all, NULL);
    burn(10);
    kill(getpid(), SIGIO);
    sigsuspend(&none);
}

static void die_when_unblocked(void)
{
    sigset_t all, none;

    sigfillset(&all);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &all, NULL);
    burn(10);
    kill(getpid(), SIGIO);
    burn(10);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void die_by_file(void)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return;
    fcntl(ends[0], F_SETOWN, getpid());
    fcntl(ends[0], F_SETFL, O_ASYNC);
    if (write(ends[1], "!", 1) == 1)
        burn(1000);
}

static void die_after_handler(void)
{
    signal(SIGIO, count_signal);
    raise(SIGIO);
    burn(10);
    signal(SIGIO, SIG_DFL);
    burn(10);
    raise(SIGIO);
}

static void die_after_reset(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigaction(SIGIO, &action, NULL);
    burn(10);
    raise(SIGIO);
}

static void die_after_once(void)
{
    struct sigaction action = {.sa_handler = count_signal, .sa_flags = (int)SA_RESETHAND};

    sigaction(SIGIO, &action, NULL);
    burn(10);
    raise(SIGIO);
    burn(10);
    raise(SIGIO);
}

static void live_ignoring(void)
{
    signal(SIGIO, SIG_IGN);
    burn(10);
    raise(SIGIO);
}

static void live_ending_threads(void)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    burn(20);
    signal(SIGIO, SIG_IGN);
    signal(SIGIO, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    burn(20);
}

static const struct way {
    const char *name;
    void (*go)(void);
} ways[] = {
    {"kill", die_by_kill},
    {"raise in a thread", die_in_thread},
    {"sigsuspend", die_in_suspend},
    {"unblocked", die_when_unblocked},
    {"O_ASYNC", die_by_file},
    {"after a handler", die_after_handler},
    {"after SIG_DFL", die_after_reset},
    {"after a handler that serves once", die_after_once},
    {"ignored", live_ignoring},
    {"ignored and default again", live_ending_threads},
};

static int run_ends(void)
{
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            burn(20);
            free(malloc(100));
            burn(20);
            ways[i].go();
            _exit(0);
        }
        waitpid(child, &status, 0);
        printf("%s: signal %d, status %d\n", ways[i].name, WTERMSIG(status), WEXITSTATUS(status));
    }
    return 0;
}

/* ---- SIGIO that the program waits for ------------------------------------------------ */

static void *send_all(void *to)
{
    burn(20);
    pthread_kill(*(pthread_t *)to, SIGUSR1);
    return NULL;
}

static long wait_for_all(uint64_t *all, siginfo_t *info)
{
    return syscall(SYS_rt_sigtimedwait, all, info, NULL, MASK_SIZE);
}

/* All signals are blocked in all threads, and one signal of the process itself is pending. */
static int run_sigwait(void)
{
    uint64_t all = UINT64_MAX, pending = 0;
    pthread_t self = pthread_self(), other;
    siginfo_t info;
    sigset_t set;

    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    burn(30);
    pthread_create(&other, NULL, send_all, &self);
    printf("sigtimedwait: %ld\n", wait_for_all(&all, &info));
    pthread_join(other, NULL);
    burn(10);
    kill(getpid(), SIGIO);
    burn(10);
    syscall(SYS_rt_sigpending, &pending, MASK_SIZE);
    printf("pending %llx\n", (unsigned long long)pending);
    printf("sigtimedwait: %ld, code %d\n", wait_for_all(&all, &info), info.si_code);
    burn(10);
    syscall(SYS_rt_sigpending, &pending, MASK_SIZE);
    printf("pending %llx\n", (unsigned long long)pending);
    return 0;
}

static int run_signalfd(void)
{
    uint64_t all = UINT64_MAX;
    struct signalfd_siginfo info;
    sigset_t set;
    int descriptor;

    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    burn(30);
    descriptor = (int)syscall(SYS_signalfd4, -1, &all, MASK_SIZE, SFD_NONBLOCK);
    burn(30);
    printf("nothing: %d\n", (int)read(descriptor, &info, sizeof info));
    kill(getpid(), SIGIO);
    printf("signalfd: %d", (int)read(descriptor, &info, sizeof info));
    printf(" %u\n", info.ssi_signo);
    return 0;
}

/* Another thread asks for pending signals while this one waits: the signal remains one of the
 * process. */
static void *ask_pending(void *unused)
{
    sigset_t pending;

    burn(20);
    kill(getpid(), SIGIO);
    for (int i = 0; i < 20; i++)
        sigpending(&pending);
    return unused;
}

static int run_asked(void)
{
    sigset_t own;
    pthread_t other;
    int number = 0;

    sigfillset(&own);
    sigprocmask(SIG_BLOCK, &own, NULL);
    pthread_create(&other, NULL, ask_pending, NULL);
    pthread_join(other, NULL);
    sigemptyset(&own);
    sigaddset(&own, SIGIO);
    sigwait(&own, &number);
    printf("sigwait: %d\n", number);
    return 0;
}

/* ---- system calls ---------------------------------------------------------------------- */

static long raw_ppoll(uint64_t *mask)
{
    struct timespec span = {0, 1000000};

    return syscall(SYS_ppoll, NULL, 0, &span, mask, MASK_SIZE);
}

static long raw_pselect(uint64_t *mask)
{
    struct timespec span = {0, 1000000};
    uint64_t pair[2] = {(uintptr_t)mask, MASK_SIZE};

    return syscall(SYS_pselect6, 0, NULL, NULL, NULL, &span, pair);
}

static int run_raw(void)
{
    uint64_t none = 0;
    struct epoll_event event;
    int queue = epoll_create1(0), interrupted = 0;
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 60; i++) {
        burn(1.5);
        interrupted += raw_ppoll(&none) < 0;
        burn(1.5);
        interrupted += raw_pselect(&none) < 0;
        burn(1.5);
        interrupted += syscall(SYS_epoll_pwait, queue, &event, 1, 1, &none, MASK_SIZE) < 0;
    }
    printf("interrupted %d\n", interrupted);
    printf("bad mask: %ld", raw_ppoll((void *)16));
    printf(" %s\n", strerror(errno));
    printf("bad size: %ld", syscall(SYS_rt_sigpending, &none, 99));
    printf(" %s\n", strerror(errno));
    return 0;
}

/* ---- masks of handlers ----------------------------------------------------------------- */

static void print_child_mask(void)
{
    pid_t child = fork();

    if (child == 0) {
        execlp("grep", "grep", "SigBlk", "/proc/self/status", (char *)NULL);
        _exit(1);
    }
    await(child);
}

static void look(int number)
{
    (void)number;
    print_blocked("in the handler");
    print_child_mask();
}

static void look_and_jump(int number)
{
    look(number);
    _longjmp(back, 1);
}

static void look_with_info(int number, siginfo_t *info, void *context)
{
    print_mask("interrupted", &((ucontext_t *)context)->uc_sigmask);
    printf("signal %d of %d, code %d\n", number, info->si_signo, info->si_code);
    look(number);
}

static void print_action(const char *when, const struct sigaction *action)
{
    const struct {
        const char *name;
        void *handler;
    } known[] = {{"default", (void *)SIG_DFL},
                 {"ignored", (void *)SIG_IGN},
                 {"look", (void *)look},
                 {"look_and_jump", (void *)look_and_jump},
                 {"look_with_info", (void *)look_with_info}};
    const char *name = "unknown";

    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].handler == (void *)action->sa_sigaction)
            name = known[i].name;
    printf("%s: %s, flags %x\n", when, name, (unsigned)action->sa_flags);
    print_mask("  mask", &action->sa_mask);
}

static void set_and_raise(int number, struct sigaction action)
{
    struct sigaction old;

    sigaction(number, &action, &old);
    print_action("before", &old);
    sigaction(number, NULL, &old);
    print_action("set", &old);
    if (_setjmp(back) == 0)
        raise(number);
    print_blocked("afterwards");
    sigaction(number, NULL, &old);
    print_action("then", &old);
}

static void show_setters(void)
{
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_ONSTACK};

    sigaction(SIGUSR2, &action, NULL);
    printf("signal: %d\n", signal(SIGUSR2, SIG_IGN) == look);
    sigaction(SIGUSR2, &action, NULL);
    printf("sigset: %d\n", sigset(SIGUSR2, SIG_HOLD) == look);
    printf("held: %d\n", sigset(SIGUSR2, SIG_DFL) == SIG_HOLD);
}

/* The handler finds the mask of the wait, not the mask before it. */
static void show_in_wait(void)
{
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_ONSTACK};
    sigset_t all, none, one, but_one;

    sigfillset(&all);
    sigemptyset(&none);
    sigemptyset(&one);
    but_one = all;
    sigdelset(&but_one, SIGUSR1);
    sigaction(SIGUSR1, &action, NULL);
    sigprocmask(SIG_SETMASK, &all, NULL);
    raise(SIGUSR1);
    sigsuspend(&none);
    raise(SIGUSR1);
    sigsuspend(&but_one);
    raise(SIGUSR1);
    ppoll(NULL, 0, &wait_span, &none);
    sigaddset(&one, SIGUSR1);
    sigprocmask(SIG_SETMASK, &one, NULL);
    raise(SIGUSR1);
    sigsuspend(&but_one);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void *do_nothing(void *unused)
{
    return unused;
}

/* With a second thread the trace is a file. */
static void make_a_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, do_nothing, NULL);
    pthread_join(thread, NULL);
}

static int run_thread(int ms)
{
    make_a_thread();
    burn(ms);
    return 0;
}

/* The shim's handler of SIGBUS precedes the program's. */
static int run_masks(size_t size)
{
    char *room = malloc(size);
    const stack_t mine = {.ss_sp = room, .ss_size = size};
    struct sigaction action = {.sa_sigaction = look_with_info, .sa_flags = SA_ONSTACK | SA_SIGINFO};

    make_a_thread();
    burn(20);
    sigaltstack(&mine, NULL);
    set_and_raise(SIGUSR1, action);
    sigaddset(&action.sa_mask, SIGWINCH);
    action.sa_flags |= SA_NODEFER;
    set_and_raise(SIGUSR1, action);
    sigfillset(&action.sa_mask);
    set_and_raise(SIGUSR1, action);
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_ONSTACK | (int)SA_RESETHAND;
    action.sa_handler = look;
    set_and_raise(SIGUSR2, action);
    set_and_raise(SIGBUS, action);
    action.sa_flags = SA_ONSTACK;
    set_and_raise(SIGBUS, action);
    action.sa_handler = look_and_jump;
    set_and_raise(SIGUSR2, action);
    show_setters();
    sigprocmask(SIG_SETMASK, &(sigset_t){0}, NULL);
    show_in_wait();
    return 0;
}

/* In the kernel's form. */
struct raw_action {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
};

/* libc's own says how a handler returns. */
static int run_raw_action(void)
{
    static char room[16384];
    const stack_t mine = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_ONSTACK};
    struct raw_action raw, found;

    burn(20);
    syscall(SYS_sigaltstack, &mine, NULL);
    sigaction(SIGUSR1, &action, NULL);
    syscall(SYS_rt_sigaction, SIGUSR1, NULL, &raw, MASK_SIZE);
    printf("mine %d, mask %llx\n", raw.handler == (void *)look, (unsigned long long)raw.mask);
    syscall(SYS_rt_sigaction, SIGUSR2, &raw, &found, MASK_SIZE);
    raise(SIGUSR2);
    syscall(SYS_rt_sigaction, SIGUSR2, NULL, &found, MASK_SIZE);
    printf("mine %d, same %d\n", found.handler == (void *)look,
           memcmp(&raw, &found, sizeof raw) == 0);
    syscall(SYS_rt_sigaction, SIGIO, NULL, &found, MASK_SIZE);
    printf("default %d, flags %lx\n", found.handler == (void *)SIG_DFL, found.flags);
    raw.handler = (void *)count_signal;
    syscall(SYS_rt_sigaction, SIGIO, &raw, NULL, MASK_SIZE);
    burn(30);
    raise(SIGIO);
    printf("came %d\n", (int)count);
    printf("bad address: %ld", syscall(SYS_rt_sigaction, SIGUSR1, (void *)16, NULL, MASK_SIZE));
    printf(" %s\n", strerror(errno));
    return 0;
}

/* ---- handlers that take long, deep and often ---------------------------------------------- */

static void burn_deep(int number)
{
    volatile char room[2048];

    (void)number;
    memset((void *)room, 1, sizeof room);
    burn(2);
    count += room[1024];
}

static void nest(int number)
{
    if (number == SIGALRM)
        raise(SIGUSR1);
    burn_deep(number);
    if (count % 7 == 0)
        siglongjmp(back, 1);
}

static void *handle_often(void *unused)
{
    static _Thread_local char room[16384];
    const stack_t mine = {.ss_sp = room, .ss_size = sizeof room};

    sigaltstack(&mine, NULL);
    for (int i = 0; i < 40; i++) {
        raise(SIGUSR2);
        burn(1);
    }
    return unused;
}

static int run_nested(void)
{
    static char room[16384];
    const stack_t mine = {.ss_sp = room, .ss_size = sizeof room};
    const struct itimerval often = {{0, 3000}, {0, 3000}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = nest, .sa_flags = SA_ONSTACK};
    pthread_t threads[2];
    sigset_t alarm_alone;

    sigaltstack(&mine, NULL);
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = burn_deep;
    sigaction(SIGUSR2, &action, NULL);
    sigemptyset(&alarm_alone);
    sigaddset(&alarm_alone, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm_alone, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, handle_often, NULL);
    sigprocmask(SIG_UNBLOCK, &alarm_alone, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    sigsetjmp(back, 1);
    while (count < 300)
        burn(1);
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    print_blocked("at the end");
    return 0;
}

static void jump(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

/* A jump out of a handler on a small stack, followed by long work: samples go on. */
static int run_jumped(int ms)
{
    static char room[16384];
    const stack_t mine = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = jump, .sa_flags = SA_ONSTACK};

    sigaltstack(&mine, NULL);
    sigaction(SIGUSR1, &action, NULL);
    burn(20);
    if (sigsetjmp(back, 0) == 0)
        raise(SIGUSR1);
    print_blocked("after the jump");
    for (int i = 0; i < ms; i++) {
        burn(1);
        free(malloc(100));
    }
    return 0;
}

/* ---- other programs ------------------------------------------------------------------------ */

/* A sample is pending when the next program begins, by a call that nobody sees. */
static int run_exec(char **argv)
{
    char *arguments[] = {argv[0], "execed", NULL};
    extern char **environ;
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    burn(30);
    syscall(SYS_execve, argv[0], arguments, environ);
    return 1;
}

static int run_execed(void)
{
    sigset_t all, pending;

    sigpending(&pending);
    print_mask("pending", &pending);
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    burn(20);
    printf("alive\n");
    return 0;
}

/* Trace a child, and count the signals that stop it. */
static int run_tracer(char **argv)
{
    int status = 0, stops = 0;
    pid_t child = fork();

    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execl(argv[0], argv[0], "thread", "200", (char *)NULL);
        _exit(1);
    }
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        int number = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);

        stops += number != 0;
        ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)number);
    }
    printf("stops %d, status %d\n", stops, WEXITSTATUS(status));
    return 0;
}

int main(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(verb, "thread") == 0)
        return run_thread(number);
    if (strcmp(verb, "waits") == 0)
        return run_waits(number);
    if (strcmp(verb, "urgent") == 0)
        return run_urgent();
    if (strcmp(verb, "ends") == 0)
        return run_ends();
    if (strcmp(verb, "sigwait") == 0)
        return run_sigwait();
    if (strcmp(verb, "signalfd") == 0)
        return run_signalfd();
    if (strcmp(verb, "asked") == 0)
        return run_asked();
    if (strcmp(verb, "raw") == 0)
        return run_raw();
    if (strcmp(verb, "masks") == 0)
        return run_masks((size_t)number);
    if (strcmp(verb, "action") == 0)
        return run_raw_action();
    if (strcmp(verb, "nested") == 0)
        return run_nested();
    if (strcmp(verb, "jumped") == 0)
        return run_jumped(number);
    if (strcmp(verb, "exec") == 0)
        return run_exec(argv);
    if (strcmp(verb, "execed") == 0)
        return run_execed();
    if (strcmp(verb, "tracer") == 0)
        return run_tracer(argv);
    return 2;
}
