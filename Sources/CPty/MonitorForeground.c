// The monitor and its pseudo-terminal: who is in the foreground of it, and what nobody has read.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <sys/ioctl.h>
#include <unistd.h>

// Only async-signal-safe calls may stand in this file: another thread may have held any lock when the process was forked.

void cpty_take_terminal(const struct cpty_monitor_start *start) {
    if (setsid() < 0 || ioctl(start->slave, TIOCSCTTY, 0) != 0) cpty_fail_start(start->channel, errno);
    for (int descriptor = 0; descriptor < (start->program->inherits_error ? 2 : 3); descriptor++)
        if (dup2(start->slave, descriptor) < 0) cpty_fail_start(start->channel, errno);
}

/// Takes the input that nobody has read. Returns its bytes; 0 if there is none, or if somebody else may still read it.
static ssize_t take_unread(const struct cpty_monitor *monitor, char *bytes, size_t room) {
    if (!monitor->has_terminal) return 0;
    pid_t foreground = tcgetpgrp(0);
    if (foreground != getpid() && foreground != monitor->program && foreground > 1 && kill(-foreground, 0) == 0) return 0;
    struct termios modes, raw;
    if (tcgetattr(0, &modes) != 0 || tcsetpgrp(0, getpid()) != 0) return 0;
    raw = modes;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    // Without line mode, a line that has no end yet can be read, too.
    if (tcsetattr(0, TCSANOW, &raw) != 0) return 0;
    ssize_t total = 0, count;
    // What was written last is seen only by a read that finds nothing else.
    while ((size_t)total < room && (count = read(0, bytes + total, room - (size_t)total)) > 0) total += count;
    tcsetattr(0, TCSANOW, &modes);
    return total;
}

void cpty_report_unread(const struct cpty_monitor *monitor) {
    struct {
        struct cpty_report head;
        char bytes[cpty_unread_room];
    } message = {{cpty_unread, 0}, {0}};
    size_t count = (size_t)take_unread(monitor, message.bytes, sizeof message.bytes);
    message.head.value = (int32_t)count;
    const char *next = (const char *)&message;
    for (size_t rest = sizeof message.head + count; rest > 0;) {
        ssize_t written = write(monitor->channel, next, rest);
        if (written < 0 && errno != EINTR) return;
        if (written < 0) continue;
        next += written;
        rest -= (size_t)written;
    }
}

void cpty_move_program(struct cpty_monitor *monitor, bool to_foreground) {
    pid_t present = tcgetpgrp(0);
    if (to_foreground && present == getpid()) {
        pid_t wanted = monitor->former_foreground;
        if (wanted <= 1 || kill(-wanted, 0) != 0) wanted = monitor->program;
        tcsetpgrp(0, wanted);
    } else if (!to_foreground && present != getpid()) {
        monitor->former_foreground = present;
        tcsetpgrp(0, getpid());
    }
}

_Noreturn void cpty_leave_terminal(const struct cpty_monitor *monitor) {
    // The foreground process group is hung up when its session leader ends. What the program left running is not.
    if (monitor->has_terminal) tcsetpgrp(0, getpid());
    _exit(0);
}
