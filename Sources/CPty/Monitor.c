// The life of the monitor: what it reports to the guard, and what the guard wants.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Only async-signal-safe calls may stand in this file: another thread may have held any lock when the process was forked.

void cpty_report_to_guard(int channel, int kind, int value) {
    struct cpty_report message = {kind, value};
    while (write(channel, &message, sizeof message) < 0 && errno == EINTR) {}
}

_Noreturn void cpty_fail_start(int channel, int error) {
    cpty_report_to_guard(channel, cpty_failed, error);
    _exit(1);
}

static void do_nothing(int number) { (void)number; }

/// SIGCHLD is blocked except in pselect(2), so that none is missed between a look and a wait.
static void set_monitor_signals(void) {
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
    sigset_t set, blocked;
    sigemptyset(&set);
    for (size_t index = 0; index < sizeof ignored / sizeof ignored[0]; index++) sigaddset(&set, ignored[index]);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    cpty_set_signals(&set, &blocked);
    // Without a handler some systems discard SIGCHLD also while it is blocked.
    struct sigaction action = {.sa_handler = do_nothing};
    sigaction(SIGCHLD, &action, NULL);
}

/// Reports what has happened to the program since the last call. After its end it is not reaped until the guard has read the
/// report, so that its process identifier stays reserved.
static void report_changes(struct cpty_monitor *monitor) {
    while (!monitor->has_ended) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)monitor->program, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) != 0) {
            if (errno == EINTR) continue;
            _exit(1);
        }
        if (info.si_pid == 0) return;
        bool has_exited = info.si_code == CLD_EXITED;
        if (has_exited || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED) {
            monitor->has_ended = true;
            return cpty_report_to_guard(monitor->channel, has_exited ? cpty_exited : cpty_killed, info.si_status);
        }
        // Only now the event is taken, and without WEXITED, because the program may have ended meanwhile.
        info = (siginfo_t){0};
        if (waitid(P_PID, (id_t)monitor->program, &info, WSTOPPED | WCONTINUED | WNOHANG) != 0 || info.si_pid == 0) continue;
        if (info.si_code == CLD_CONTINUED) cpty_report_to_guard(monitor->channel, cpty_continued, 0);
        else cpty_report_to_guard(monitor->channel, cpty_stopped, info.si_status);
    }
}

/// Does what the guard wants. Returns at once if it wants nothing.
static void obey(struct cpty_monitor *monitor) {
    char commands[16];
    ssize_t count = recv(monitor->channel, commands, sizeof commands, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) cpty_outlive_guard(monitor);
    for (ssize_t index = 0; index < count; index++) {
        switch (commands[index]) {
        case cpty_to_foreground:
        case cpty_to_background:
            if (monitor->has_terminal && !monitor->has_ended) cpty_move_program(monitor, commands[index] == cpty_to_foreground);
            cpty_report_to_guard(monitor->channel, cpty_moved, 0);
            break;
        case cpty_end_noted: monitor->is_reaped = monitor->has_ended; break;
        case cpty_leave:
            cpty_report_unread(monitor);
            cpty_leave_terminal(monitor);
        }
    }
}

/// Reports what happens to the program and does what the guard wants, until the guard needs the monitor no longer.
static _Noreturn void follow(struct cpty_monitor *monitor) {
    sigset_t none;
    sigemptyset(&none);
    while (true) {
        report_changes(monitor);
        cpty_reap_descendants(monitor);
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(monitor->channel, &readable);
        if (pselect(monitor->channel + 1, &readable, NULL, NULL, NULL, &none) > 0) obey(monitor);
    }
}

// MARK: The start

/// Lets go of what the program inherits. The channel and the folder of the control group get the lowest numbers, which select(2)
/// can wait for.
static void keep_only_own(const struct cpty_monitor_start *start, struct cpty_monitor *monitor) {
    if (monitor->has_terminal) {
        dup2(0, 2);
    } else {
        int nothing = open("/dev/null", O_RDWR);
        for (int descriptor = 0; descriptor < 3 && nothing >= 0; descriptor++) dup2(nothing, descriptor);
    }
    // Neither copy may replace the other's original, so both are made above it first.
    int channel = fcntl(start->channel, F_DUPFD, 5);
    int folder = start->program->control_group < 0 ? -1 : fcntl(start->program->control_group, F_DUPFD, 5);
    monitor->channel = dup2(channel, 3);
    monitor->control_group = folder < 0 ? -1 : dup2(folder, 4);
    cpty_close_span(monitor->control_group < 0 ? 4 : 5, INT_MAX, start->descriptor_limit);
}

_Noreturn void cpty_run_monitor(const struct cpty_monitor_start *start) {
    cpty_report_to_guard(start->channel, cpty_watched, getpid());
    set_monitor_signals();
    cpty_adopt_orphans();
    if (start->slave >= 0) cpty_take_terminal(start);
    cpty_close_others(start->kept, start->kept_count, start->descriptor_limit);

    char command;
    ssize_t count;
    while ((count = read(start->channel, &command, 1)) < 0 && errno == EINTR) {}
    if (count != 1 || command == cpty_leave) _exit(0);

    struct cpty_monitor monitor = {.has_terminal = start->slave >= 0, .keeps_orphans = start->program->keeps_orphans};
    monitor.program = cpty_start_program(start, command == cpty_start_foreground);
    keep_only_own(start, &monitor);
    cpty_report_to_guard(monitor.channel, cpty_started, monitor.program);
    follow(&monitor);
}

// MARK: The end of the monitor

_Noreturn void cpty_run_warden(const struct cpty_monitor_start *start) {
    set_monitor_signals();
    cpty_adopt_orphans();
    pid_t monitor = cpty_plain_fork();
    if (monitor == 0) cpty_run_monitor(start);
    if (monitor < 0) {
        cpty_report_to_guard(start->channel, cpty_watched, -errno);
        _exit(1);
    }
    struct cpty_monitor rest = {.keeps_orphans = start->program->keeps_orphans};
    int folder = start->program->control_group < 0 ? -1 : fcntl(start->program->control_group, F_DUPFD, 3);
    rest.control_group = folder < 0 ? -1 : dup2(folder, 0);
    cpty_keep_only(0, 0);
    if (rest.control_group < 0) close(0);
    int status;
    while (waitpid(monitor, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    // It was killed, and everything that it was the ancestor of belongs to this process now.
    cpty_outlive_guard(&rest);
}
