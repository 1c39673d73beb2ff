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

enum { longest_wait = 1000 };

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
    // Standard input may be a file or a pipe.
    for (int descriptor = 0; descriptor <= 2 && !has_original_modes; descriptor++)
        has_original_modes = tcgetattr(descriptor, &original_modes) == 0;
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

static void ended(int number, siginfo_t *info, void *context) {
    (void)context;
    int error = errno;
    thread_id nobody = 0, self = this_thread();
    if (armed) {
        if (__atomic_compare_exchange_n(&ending_thread, &nobody, self, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            stop_drawing(number);
            give_terminal_back();
            if (cpty_is_crash(number)) cpty_end_input();
        } else if (nobody != self) {
            // The process ends on another thread; this one must not draw any more.
            if (self == drawing_thread) drawing_has_stopped = 1;
            while (true) pause();
        }
    }
    cpty_pass_on(number, info, &former[number]);
    errno = error;
}

// MARK: Installing

static void install(int number, const struct sigaction *action) {
    struct sigaction present;
    if (!cpty_is_crash(number) && !is_end(number)) return;
    if (sigaction(number, NULL, &present) != 0) return;
    if (present.sa_handler == SIG_IGN) return;
    // A crash goes on to whoever reports it; any other handler is the program's own and stays.
    if (!cpty_is_crash(number) && present.sa_handler != SIG_DFL) return;
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
        if (cpty_provide_stack() != 0) return false;
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
