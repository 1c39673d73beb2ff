// SI_KERNEL and O_CLOEXEC are declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "CPty.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

// Only async-signal-safe calls may stand in the handler.

enum { stack_size = 64 * 1024, longest_wait = 1000 };

static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { crash_count = sizeof crashes / sizeof crashes[0] };

static struct sigaction former[NSIG];
static bool is_armed;
/// The terminal as the program writes to it, a second descriptor of it for the reset, and /dev/null.
static int target = -1, output = -1, sink = -1;
static struct termios terminal_modes;

/// Two sets of bytes: one is written while the other is in use.
static struct {
    size_t count;
    char bytes[cpty_emergency_room];
} resets[2];
static volatile int current_reset;
/// The first thread that crashed; 0 while none has. The others wait for the end of the process.
static pthread_t crashing_thread;

static void write_reset(void) {
    const char *bytes = resets[current_reset].bytes;
    size_t rest = resets[current_reset].count;
    for (int wait = 0; rest > 0 && wait < longest_wait;) {
        ssize_t count = write(output, bytes, rest);
        if (count > 0) {
            bytes += count;
            rest -= (size_t)count;
        } else if (count < 0 && errno == EAGAIN) {
            // Another thread may be writing, or the terminal is stopped.
            struct pollfd probe = {.fd = output, .events = POLLOUT};
            poll(&probe, 1, 1);
            poll(NULL, 0, 1);
            wait++;
        } else if (count == 0 || errno != EINTR) {
            return;
        }
    }
}

void cpty_end_input(void) {
    int ends[2];
    if (pipe(ends) != 0) return;
    if (write(ends[1], "\n", 1) == 1) dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
}

bool cpty_is_crash(int number) {
    for (int index = 0; index < crash_count; index++)
        if (crashes[index] == number) return true;
    return false;
}

/// Whether the signal comes again when the handler returns, because the failed instruction is run again.
static bool comes_again(int number, const siginfo_t *info) {
    if (!cpty_is_crash(number) || number == SIGABRT || info->si_code <= 0) return false;
#ifdef __linux__
    // The breakpoint instruction of x86 is not run again.
    if (number == SIGTRAP && info->si_code == SI_KERNEL) return false;
#endif
    return true;
}

/// Delivers a signal that is blocked, as it is in its own handler.
static void deliver(int number) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

void cpty_pass_on(int number, const siginfo_t *info, const struct sigaction *former) {
    sigaction(number, former, NULL);
    if (comes_again(number, info)) return;
    // The toolchain's crash report returns from it and relies on a fault that comes again.
    deliver(number);
    signal(number, SIG_DFL);
    deliver(number);
}

static void crashed(int number, siginfo_t *info, void *context) {
    (void)context;
    int error = errno;
    pthread_t nobody = 0, self = pthread_self();
    if (__atomic_compare_exchange_n(&crashing_thread, &nobody, self, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        if (output >= 0) {
            dup2(sink, target);
            write_reset();
            tcsetattr(output, TCSANOW, &terminal_modes);
        }
        cpty_end_input();
    } else if (nobody != self) {
        while (true) pause();
    }
    cpty_pass_on(number, info, &former[number]);
    errno = error;
}

int cpty_provide_stack(void) {
    stack_t present;
    if (sigaltstack(NULL, &present) != 0) return -errno;
    if (!(present.ss_flags & SS_DISABLE)) return 0;
    stack_t stack = {.ss_sp = malloc(stack_size), .ss_size = stack_size};
    if (!stack.ss_sp) return -ENOMEM;
    return sigaltstack(&stack, NULL) == 0 ? 0 : -errno;
}

static void close_all(void) {
    if (output >= 0) close(output);
    if (sink >= 0) close(sink);
    output = sink = -1;
}

static void restore_handlers(void) {
    if (!is_armed) return;
    is_armed = false;
    for (int index = 0; index < crash_count; index++) {
        struct sigaction present;
        int number = crashes[index];
        bool is_ours = sigaction(number, NULL, &present) == 0 && (present.sa_flags & SA_SIGINFO)
            && present.sa_sigaction == crashed;
        if (is_ours) sigaction(number, &former[number], NULL);
    }
    close_all();
}

/// Provides the descriptors for the reset. Without a terminal there are none.
static int open_terminal(int descriptor, const struct termios *modes) {
    if (descriptor < 0) return 0;
    output = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (output < 0 || sink < 0) {
        int error = -errno;
        close_all();
        return error;
    }
    target = descriptor;
    terminal_modes = *modes;
    return 0;
}

int cpty_arm_emergency(int descriptor, const struct termios *modes) {
    restore_handlers();
    int error = cpty_provide_stack();
    if (error == 0) error = open_terminal(descriptor, modes);
    if (error != 0) return error;
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    // Otherwise a process in the background would be stopped when it sets the modes.
    sigaddset(&action.sa_mask, SIGTTOU);
    for (int index = 0; index < crash_count; index++) {
        int number = crashes[index];
        // A signal that is ignored does not end the process.
        if (sigaction(number, NULL, &former[number]) != 0 || former[number].sa_handler == SIG_IGN) continue;
        sigaction(number, &action, NULL);
    }
    is_armed = true;
    return 0;
}

int cpty_set_emergency(const void *bytes, size_t count) {
    if (count > cpty_emergency_room) return -E2BIG;
    if (__atomic_load_n(&crashing_thread, __ATOMIC_SEQ_CST)) return 0;
    int next = 1 - current_reset;
    memcpy(resets[next].bytes, bytes, count);
    resets[next].count = count;
    __atomic_store_n(&current_reset, next, __ATOMIC_SEQ_CST);
    return 0;
}

void cpty_disarm_emergency(void) {
    restore_handlers();
    resets[current_reset].count = 0;
}
