/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unreadable memory next to code and stacks.  In each case the program allocates, and then computes
 * for some hundred milliseconds, so that samples come; it prints its result.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 4096, STACK = 16 * PAGE, SKIPPED = 77, BLOCKS = 20, SPAN_MS = 200 };

typedef long (*spin_code)(long rounds);
typedef void *(*call_code)(size_t size, void *(*obtain)(size_t size), void *frame);

#if defined __x86_64__
/* mov rax,rdi; 1: dec rax; jnz 1b; ret */
static const unsigned char spin[] = {0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3};
/* push rdi; call rsi; pop rdi; ret: the bytes before the call are too few for another call */
static const unsigned char call[] = {0x57, 0xff, 0xd6, 0x5f, 0xc3};
/* push rbp; mov rbp,rdx; call rsi; pop rbp; ret: at the end of a page, so the call is readable and
 * the frame pointer is believed */
static const unsigned char call_framed[] = {0x55, 0x48, 0x89, 0xd5, 0xff, 0xd6, 0x5d, 0xc3};
#elif defined __aarch64__
/* 1: subs x0,x0,#1; b.ne 1b; ret */
static const unsigned char spin[] = {0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff,
                                     0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6};
/* stp x29,x30,[sp,#-16]!; blr x1; ldp x29,x30,[sp],#16; ret */
static const unsigned char call[] = {0xfd, 0x7b, 0xbf, 0xa9, 0x20, 0x00, 0x3f, 0xd6,
                                     0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6};
/* the same with mov x29,x2 after the first */
static const unsigned char call_framed[] = {0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x02,
                                            0xaa, 0x20, 0x00, 0x3f, 0xd6, 0xfd, 0x7b,
                                            0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6};
#endif

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static void skip(const char *why)
{
    puts(why);
    exit(SKIPPED);
}

/* ---- work ------------------------------------------------------------------ */

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Until samples have come. */
static __attribute__((noinline)) void burn(void)
{
    double end = now_ms() + SPAN_MS;
    volatile double sum = 0;

    while (now_ms() < end)
        for (int i = 1; i < 10000; i++)
            sum += 1.0 / i;
}

static void *volatile kept;

static __attribute__((noinline)) void allocate(void)
{
    for (int i = 1; i <= BLOCKS; i++) {
        kept = malloc((size_t)i * 8);
        free(kept);
    }
}

static __attribute__((noinline)) void work(void)
{
    allocate();
    burn();
    allocate();
}

/* Replaces malloc: a chain that starts here continues in the code that called this. */
static void *work_and_obtain(size_t size)
{
    work();
    return malloc(size);
}

/* ---- memory ---------------------------------------------------------------- */

static unsigned char *map(size_t size, int protection)
{
    void *place = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (place == MAP_FAILED)
        give_up("mmap");
    return place;
}

static void protect(void *place, size_t size, int protection)
{
    if (mprotect(place, size, protection) != 0)
        give_up("mprotect");
}

/* Put code at the start or the end of a page, which becomes executable. */
static unsigned char *put(unsigned char *page, const unsigned char *code, size_t size, int at_end)
{
    unsigned char *to = at_end ? page + PAGE - size : page;

    memcpy(to, code, size);
    __builtin___clear_cache((char *)to, (char *)to + size);
    return to;
}

static void run_spin(unsigned char *at)
{
    spin_code code;
    double end = now_ms() + SPAN_MS;

    memcpy(&code, &at, sizeof code);
    while (now_ms() < end)
        code(1000000);
}

static void run_call(unsigned char *at, void *(*obtain)(size_t size), void *frame)
{
    call_code code;

    memcpy(&code, &at, sizeof code);
    for (size_t i = 1; i <= BLOCKS; i++)
        free(code(i * 8, i == 1 ? obtain : malloc, frame));
}

/* Three pages: nothing to read, code, nothing to read. */
static unsigned char *map_between(void)
{
    unsigned char *pages = map((size_t)3 * PAGE, PROT_NONE);

    protect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE);
    return pages + PAGE;
}

/* ---- code ------------------------------------------------------------------ */

static void run_code(int at_end, int protection)
{
    unsigned char *spinning = map_between(), *calling = map_between();
    unsigned char *spin_at = put(spinning, spin, sizeof spin, at_end);
    unsigned char *call_at = put(calling, call, sizeof call, at_end);

    protect(spinning, PAGE, protection);
    protect(calling, PAGE, protection);
    run_spin(spin_at);
    run_call(call_at, work_and_obtain, NULL);
}

static void code_at_the_start(void)
{
    run_code(0, PROT_READ | PROT_EXEC);
}

static void code_at_the_end(void)
{
    run_code(1, PROT_READ | PROT_EXEC);
}

static void code_to_execute_alone(void)
{
    run_code(0, PROT_EXEC);
}

/* The code that called cannot be read, or is gone, while its callee works. */
static unsigned char *caller_page;
static jmp_buf out;

static void *work_unread(size_t size)
{
    protect(caller_page, PAGE, PROT_NONE);
    work();
    protect(caller_page, PAGE, PROT_READ | PROT_EXEC);
    return malloc(size);
}

static void *work_unmapped(size_t size)
{
    munmap(caller_page, PAGE);
    work();
    (void)size;
    longjmp(out, 1);
}

static void caller(void *(*obtain)(size_t size))
{
    unsigned char *at;

    caller_page = map_between();
    at = put(caller_page, call, sizeof call, 0);
    protect(caller_page, PAGE, PROT_READ | PROT_EXEC);
    if (setjmp(out) == 0)
        run_call(at, obtain, NULL);
}

static void caller_unread(void)
{
    caller(work_unread);
}

static void caller_unmapped(void)
{
    caller(work_unmapped);
}

/* Code of a file that is truncated after it, and then inside it. */
static int code_file;

static void *work_cut(size_t size)
{
    if (ftruncate(code_file, 0) != 0)
        give_up("ftruncate");
    work();
    (void)size;
    longjmp(out, 1);
}

static void code_of_a_cut_file(void)
{
    unsigned char *written, *run;

    code_file = memfd_create("code", 0);
    if (code_file < 0 || ftruncate(code_file, (off_t)2 * PAGE) != 0)
        give_up("memfd_create");
    written = mmap(NULL, (size_t)2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, code_file, 0);
    run = mmap(NULL, (size_t)2 * PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, code_file, 0);
    if (written == MAP_FAILED || run == MAP_FAILED)
        give_up("mmap");
    put(written, call, sizeof call, 1);
    put(written, spin, sizeof spin, 0);
    if (ftruncate(code_file, PAGE) != 0)
        give_up("ftruncate");
    run_spin(run);
    run_call(run + PAGE - sizeof call, work_and_obtain, NULL);
    if (setjmp(out) == 0)
        run_call(run + PAGE - sizeof call, work_cut, NULL);
}

/* ---- stacks ---------------------------------------------------------------- */

static ucontext_t here, there;

static void run_on(void *stack, size_t size, void (*function)(void))
{
    if (getcontext(&there) != 0)
        give_up("getcontext");
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = size;
    there.uc_link = &here;
    makecontext(&there, function, 0);
    swapcontext(&here, &there);
}

/* A stack with nothing to read on either side. */
static unsigned char *map_stack(void)
{
    unsigned char *pages = map(STACK + (size_t)2 * PAGE, PROT_NONE);

    protect(pages + PAGE, STACK, PROT_READ | PROT_WRITE);
    return pages + PAGE;
}

static void coroutine(void)
{
    run_on(map_stack(), STACK, work);
}

/* The outermost frame of the coroutine says that it was called by a function with a large frame,
 * which would lie above the end of the stack. */
static void *inside_large;

static __attribute__((noinline)) void note_return(void)
{
    inside_large = __builtin_return_address(0);
}

static __attribute__((noinline)) void large(void)
{
    volatile char frame[3 * STACK];

    frame[0] = 1;
    note_return();
    frame[1] = frame[0];
}

static void work_and_leave(void)
{
    work();
    setcontext(&here);
}

static void stack_that_ends(void)
{
    unsigned char *stack = map_stack();

    large();
    if (getcontext(&there) != 0)
        give_up("getcontext");
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = STACK;
    there.uc_link = NULL;
    makecontext(&there, work_and_leave, 0);
#if defined __x86_64__
    there.uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)(stack + STACK - sizeof(void *));
    memcpy(stack + STACK - sizeof(void *), &inside_large, sizeof(void *));
#else
    there.uc_mcontext.sp = (uintptr_t)(stack + STACK);
    there.uc_mcontext.regs[30] = (uintptr_t)inside_large;
#endif
    swapcontext(&here, &there);
}

static void *work_in_thread(void *unused)
{
    work();
    return unused;
}

static void thread_on(void *(*function)(void *), unsigned char *stack, size_t size)
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, size) != 0)
        give_up("pthread_attr_setstack");
    if (pthread_create(&thread, &attributes, function, NULL) != 0)
        give_up("pthread_create");
    pthread_join(thread, NULL);
}

static void thread_at_an_end(void)
{
    thread_on(work_in_thread, map_stack(), STACK);
}

/* A frame pointer that leads to a page of the own stack that was forbidden since. */
static void *forbid(void *unused)
{
    unsigned char buffer[3 * PAGE] __attribute__((aligned(4096)));
    unsigned char *code = map_between();
    unsigned char *at = put(code, call_framed, sizeof call_framed, 1);

    memset(buffer, 0, sizeof buffer);
    protect(code, PAGE, PROT_READ | PROT_EXEC);
    work();
    protect(buffer + PAGE, PAGE, PROT_NONE);
    run_call(at, work_and_obtain, buffer + PAGE + 64);
    run_call(at, work_and_obtain, buffer + PAGE - 16);
    run_call(at, work_and_obtain, NULL);
    protect(buffer + PAGE, PAGE, PROT_READ | PROT_WRITE);
    return unused;
}

static void guard_in_the_stack(void)
{
    size_t size = (size_t)64 * PAGE;

    forbid(NULL);
    thread_on(forbid, map(size, PROT_READ | PROT_WRITE), size);
}

/* Frame pointers of a coroutine that lead nowhere. */
static unsigned char *framed_at;
static void *frame_given;

static void call_with_frame(void)
{
    run_call(framed_at, work_and_obtain, frame_given);
}

static void call_in_coroutine(void *frame)
{
    unsigned char *code = map_between();

    framed_at = put(code, call_framed, sizeof call_framed, 1);
    protect(code, PAGE, PROT_READ | PROT_EXEC);
    frame_given = frame;
    run_on(map_stack(), STACK, call_with_frame);
}

static void frame_pointers_that_lead_nowhere(void)
{
    unsigned char *nothing = map(PAGE, PROT_NONE);

    call_in_coroutine(NULL);
    call_in_coroutine((void *)8);
    call_in_coroutine((void *)(UINTPTR_MAX - 7));
    call_in_coroutine(nothing);
    call_in_coroutine(nothing + PAGE - 8);
}

/* ---- pages that someone else is to fetch, and nobody does ------------------- */

static unsigned char *map_awaited(size_t pages)
{
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};
    int descriptor = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    unsigned char *place = map(pages * PAGE, PROT_READ | PROT_WRITE);

    range.range.start = (uintptr_t)place;
    range.range.len = pages * PAGE;
    if (descriptor < 0 || ioctl(descriptor, UFFDIO_API, &api) != 0 ||
        ioctl(descriptor, UFFDIO_REGISTER, &range) != 0)
        skip("no userfaultfd for this user");
    return place;
}

static void awaited_pages(void)
{
    unsigned char *pages = map_awaited(3);

    call_in_coroutine(pages + PAGE + 64);
    if (mmap(pages + PAGE, PAGE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        give_up("mmap");
    put(pages + PAGE, call, sizeof call, 1);
    put(pages + PAGE, spin, sizeof spin, 0);
    protect(pages + PAGE, PAGE, PROT_READ | PROT_EXEC);
    run_spin(pages + PAGE);
    run_call(pages + 2 * PAGE - sizeof call, work_and_obtain, NULL);
}

/* ---- a library whose file is cut -------------------------------------------- */

static void (*call_back)(void (*called)(void));

static void open_library(const char *file)
{
    void *library = dlopen(file, RTLD_NOW);
    void *found = library ? dlsym(library, "call_back") : NULL;

    if (!found)
        give_up(file);
    memcpy(&call_back, &found, sizeof call_back);
}

static void copy_library(void)
{
    int from = open("library.so", O_RDONLY);
    int to = open("cut.so", O_WRONLY | O_CREAT | O_TRUNC, 0700);

    if (from < 0 || to < 0 || sendfile(to, from, NULL, 1 << 30) <= 0)
        give_up("cut.so");
    close(from);
    close(to);
}

static int cut_table(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; strstr(info->dlpi_name, "cut.so") && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME &&
            truncate("cut.so", (off_t)(info->dlpi_phdr[i].p_offset & -(size_t)PAGE)) != 0)
            give_up("truncate");
    return 0;
}

static void cut_library(void)
{
    copy_library();
    open_library("./cut.so");
    dl_iterate_phdr(cut_table, NULL);
    call_back(work);
}

/* ---- a call that a coroutine left, with its stack --------------------------- */

static void leave(void)
{
    swapcontext(&there, &here);
}

static void call_and_leave(void)
{
    call_back(leave);
}

static void abandoned_call(void)
{
    unsigned char *stack = map_stack();

    open_library("./library.so");
    run_on(stack, STACK, call_and_leave);
    munmap(stack, STACK);
    run_on(map_stack(), STACK, work);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"start", code_at_the_start},
    {"end", code_at_the_end},
    {"execute", code_to_execute_alone},
    {"unread", caller_unread},
    {"unmapped", caller_unmapped},
    {"file", code_of_a_cut_file},
    {"coroutine", coroutine},
    {"ends", stack_that_ends},
    {"thread", thread_at_an_end},
    {"guard", guard_in_the_stack},
    {"frames", frame_pointers_that_lead_nowhere},
    {"awaited", awaited_pages},
    {"library", cut_library},
    {"abandoned", abandoned_call},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            puts("end");
            return 0;
        }
    return 2;
}
