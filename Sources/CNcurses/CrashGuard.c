// syscall stands behind this on Linux.
#define _GNU_SOURCE 1
#include "CNcurses.h"

#include <CPty.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

// Only async-signal-safe calls may stand in the handler: write, tcsetattr, sigaction, raise, pipe, dup2, close, poll, tgkill.

enum { stack_size = 64 * 1024, longest_wait = 1000 };

static struct sigaction former[NSIG];
static bool is_ours[NSIG];
static bool installed;
static volatile sig_atomic_t armed;
static int terminal_descriptor;
static struct termios terminal_modes;
static char reset_bytes[512];
static size_t reset_count;

static struct termios original_modes;
static bool has_original_modes;

// A host may open its screen long before it attaches an overlay to it; by then the modes are the program's own.
__attribute__((constructor)) static void save_original_modes(void) {
    has_original_modes = tcgetattr(STDIN_FILENO, &original_modes) == 0;
}

bool cncurses_original_modes(struct termios *modes) {
    if (has_original_modes) *modes = original_modes;
    return has_original_modes;
}

// MARK: Threads

#ifdef __linux__
typedef pid_t thread_id;
static thread_id this_thread(void) { return (pid_t)syscall(SYS_gettid); }
static bool send_signal(thread_id thread, int number) { return syscall(SYS_tgkill, getpid(), thread, number) == 0; }
#else
typedef pthread_t thread_id;
static thread_id this_thread(void) { return pthread_self(); }
static bool send_signal(thread_id thread, int number) { return pthread_kill(thread, number) == 0; }
#endif

/// The thread that draws: the one that installed the guard.
static thread_id drawing_thread;
/// The thread whose signal ends the process; 0 while none does.
static thread_id ending_thread;
static volatile sig_atomic_t drawing_has_stopped;

// MARK: Signals

static bool is_crash(int number) {
    switch (number) {
    case SIGILL: case SIGTRAP: case SIGABRT: case SIGSEGV: case SIGBUS: case SIGFPE: return true;
    default: return false;
    }
}

/// Whether a signal ends the process by its default, without being a crash.
static bool is_end(int number) {
    switch (number) {
    case SIGHUP: case SIGINT: case SIGQUIT: case SIGTERM: case SIGPIPE: case SIGALRM: case SIGUSR1: case SIGUSR2:
    case SIGVTALRM: case SIGPROF: case SIGXCPU: case SIGXFSZ: case SIGSYS: return true;
#ifdef __linux__
    case SIGIO: case SIGPWR: case SIGSTKFLT: return true;
    default: return number >= SIGRTMIN && number <= SIGRTMAX;
#else
    default: return false;
#endif
    }
}

static void ended(int number, siginfo_t *info, void *context);

static bool has_our_handler(int number) {
    struct sigaction present;
    return sigaction(number, NULL, &present) == 0 && (present.sa_flags & SA_SIGINFO) && present.sa_sigaction == ended;
}

/// Stops the drawing thread by a signal that this handler takes there. A thread inside ncurses writes no byte afterwards.
static void stop_drawing(int number) {
    static const int stops[] = {SIGBUS, SIGFPE, SIGABRT};
    if (drawing_thread == this_thread()) return;
    for (size_t index = 0; index < sizeof stops / sizeof stops[0]; index++) {
        if (stops[index] == number || !has_our_handler(stops[index])) continue;
        if (!send_signal(drawing_thread, stops[index])) return;
        // A second at most: the thread may have blocked the signal.
        for (int wait = 0; wait < 1000 && !drawing_has_stopped; wait++) poll(NULL, 0, 1);
        return;
    }
}

static void give_terminal_back(void) {
    cpty_restore_standard();
    size_t done = 0;
    int waits = 0;
    while (done < reset_count) {
        ssize_t count = write(terminal_descriptor, reset_bytes + done, reset_count - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN && waits++ < longest_wait) {
            // The descriptor does not block, and the terminal is busy or stopped.
            poll(NULL, 0, 1);
            continue;
        }
        if (count <= 0) break;
        done += (size_t)count;
    }
    tcsetattr(terminal_descriptor, TCSANOW, &terminal_modes);
}

/// What reports a crash must not wait for a key: the toolchain's interactive backtrace reads a line end, which quits it.
/// At the end of its input it would crash itself (Swift 6.3.1).
static void answer_prompt(void) {
    int ends[2];
    if (pipe(ends) != 0) return;
    if (write(ends[1], "\n", 1) == 1) dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
}

/// Whether the signal comes again by itself when the handler returns: the instruction that failed is run again.
static bool comes_again(int number, const siginfo_t *info) {
    if (!is_crash(number) || number == SIGABRT || info->si_code <= 0) return false;
#ifdef __linux__
    // A breakpoint on x86 has been passed.
    if (number == SIGTRAP && info->si_code == SI_KERNEL) return false;
#endif
    return info->si_code != SI_USER;
}

/// Delivers a signal that is blocked, as it is in its own handler.
static void deliver(int number) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

/// Lets a signal end the process that does not come again by itself: another process sent it, or a call such as abort(3).
/// The former handler is called first. The toolchain's crash report returns from it and relies on a fault that comes again.
static void act(int number) {
    deliver(number);
    signal(number, SIG_DFL);
    deliver(number);
}

static void ended(int number, siginfo_t *info, void *context) {
    (void)context;
    int error = errno;
    thread_id nobody = 0, self = this_thread();
    if (armed) {
        if (__atomic_compare_exchange_n(&ending_thread, &nobody, self, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            stop_drawing(number);
            give_terminal_back();
            if (is_crash(number)) answer_prompt();
        } else if (nobody != self) {
            // The process ends on another thread; this one must not draw any more.
            if (self == drawing_thread) drawing_has_stopped = 1;
            while (true) pause();
        }
    }
    sigaction(number, &former[number], NULL);
    if (!comes_again(number, info)) act(number);
    errno = error;
}

// MARK: Installing

static void install(int number, const struct sigaction *action) {
    struct sigaction present;
    if (!is_crash(number) && !is_end(number)) return;
    if (sigaction(number, NULL, &present) != 0) return;
    if (present.sa_handler == SIG_IGN) return;
    // A crash goes on to whoever reports it; any other handler is the program's own and stays.
    if (!is_crash(number) && present.sa_handler != SIG_DFL) return;
    if (sigaction(number, action, &former[number]) == 0) is_ours[number] = true;
}

bool cncurses_guard_crashes(int descriptor, const struct termios *modes, const char *bytes, size_t count) {
    if (count > sizeof reset_bytes) return false;
    armed = 0;
    terminal_descriptor = descriptor;
    terminal_modes = *modes;
    memcpy(reset_bytes, bytes, count);
    reset_count = count;
    drawing_thread = this_thread();
    if (!installed) {
        // A stack overflow leaves no room for a handler. Another's alternate stack serves as well.
        stack_t present;
        if (sigaltstack(NULL, &present) != 0) return false;
        if (present.ss_flags & SS_DISABLE) {
            stack_t stack = {.ss_sp = malloc(stack_size), .ss_size = stack_size};
            if (!stack.ss_sp || sigaltstack(&stack, NULL) != 0) return false;
        }
        struct sigaction action = {.sa_sigaction = ended, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigemptyset(&action.sa_mask);
        for (int number = 1; number < NSIG; number++) install(number, &action);
        installed = true;
    }
    armed = 1;
    return true;
}

void cncurses_unguard_crashes(void) {
    armed = 0;
    if (!installed) return;
    installed = false;
    for (int number = 1; number < NSIG; number++) {
        if (is_ours[number] && has_our_handler(number)) sigaction(number, &former[number], NULL);
        is_ours[number] = false;
    }
}
