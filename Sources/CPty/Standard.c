// F_DUPFD_CLOEXEC is declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "CPty.h"

#include <fcntl.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

enum { standard_count = 3 };

/// Where each standard descriptor led before it was moved; -1 for one that was not.
static int saved[standard_count] = {-1, -1, -1};

/// Repeats dup2(2), which another thread's open(2) can make fail for a moment.
static void lead(int number, int to) {
    while (dup2(to, number) < 0 && (errno == EINTR || errno == EBUSY)) {}
}

int cpty_move_standard(int terminal, int target) {
    int moved = 0, copies[standard_count];
    // First all copies: the terminal may itself be a standard descriptor, and an error must leave nothing half moved.
    for (int number = 0; number < standard_count; number++) {
        copies[number] = -1;
        if (saved[number] >= 0 || !cpty_is_same_terminal(number, terminal)) continue;
        copies[number] = fcntl(number, F_DUPFD_CLOEXEC, standard_count);
        if (copies[number] >= 0) continue;
        int error = -errno;
        while (number-- > 0)
            if (copies[number] >= 0) close(copies[number]);
        return error;
    }
    for (int number = 0; number < standard_count; number++) {
        if (copies[number] < 0) continue;
        saved[number] = copies[number];
        lead(number, target);
        moved++;
    }
    return moved;
}

void cpty_restore_standard(void) {
    int error = errno;
    for (int number = 0; number < standard_count; number++) {
        int copy = saved[number];
        if (copy < 0) continue;
        saved[number] = -1;
        lead(number, copy);
        close(copy);
    }
    errno = error;
}

static void do_nothing(int number) { (void)number; }

void cpty_restart_waiting_calls(void) {
    // By default this signal is ignored, and does not interrupt a call. With a handler the kernel begins the call again.
    struct sigaction action = {.sa_handler = do_nothing, .sa_flags = SA_RESTART}, former;
    if (sigaction(SIGURG, NULL, &former) != 0) return;
    bool is_ours = !(former.sa_flags & SA_SIGINFO) && former.sa_handler == do_nothing;
    if (!is_ours && ((former.sa_flags & SA_SIGINFO) || former.sa_handler != SIG_DFL)) return;
    if (!is_ours) sigaction(SIGURG, &action, NULL);
#ifdef __linux__
    // The main thread has the number of its process.
    syscall(SYS_tgkill, getpid(), getpid(), SIGURG);
#else
    kill(getpid(), SIGURG);
#endif
}

int cpty_standard(int number) {
    return number >= 0 && number < standard_count && saved[number] >= 0 ? saved[number] : number;
}
