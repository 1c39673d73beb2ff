// What a program leaves behind at its end: input that nobody has read, and output of processes that go on.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cpty_type(int terminal, const char *bytes, size_t count) {
#ifdef TIOCSTI
    for (size_t index = 0; index < count; index++)
        if (ioctl(terminal, TIOCSTI, &bytes[index]) != 0) return -errno;
    return 0;
#else
    return count == 0 ? 0 : -EIO;
#endif
}

/// Waits until a descriptor is ready. False if it is gone.
static bool wait_for(int descriptor, short event) {
    struct pollfd probe = {.fd = descriptor, .events = event};
    while (poll(&probe, 1, -1) < 0)
        if (errno != EINTR && errno != EAGAIN) return false;
    return probe.revents & event;
}

static bool write_all(int descriptor, const char *bytes, ssize_t count) {
    while (count > 0) {
        ssize_t written = cpty_write(descriptor, bytes, (size_t)count);
        if (written == -EAGAIN) {
            if (!wait_for(descriptor, POLLOUT)) return false;
            continue;
        }
        if (written <= 0) return false;
        bytes += written;
        count -= written;
    }
    return true;
}

// Only async-signal-safe calls may stand here.
static _Noreturn void relay(int master, int terminal) {
    static char bytes[65536];
    setsid();
    cpty_ignore_keys();
    cpty_keep_only(master, terminal);
    while (wait_for(master, POLLIN)) {
        ssize_t count = cpty_read(master, bytes, sizeof bytes);
        if (count == -EAGAIN) continue;
        if (count <= 0 || !write_all(terminal, bytes, count)) break;
    }
    _exit(0);
}

/// Leaves line ends to the terminal, whose modes the shell sets from now on.
static void leave_line_ends(int master) {
    struct termios modes;
    if (tcgetattr(master, &modes) != 0) return;
    modes.c_oflag &= ~(tcflag_t)OPOST;
    tcsetattr(master, TCSANOW, &modes);
}

int cpty_relay_rest(int master, int terminal) {
    leave_line_ends(master);
    pid_t process = cpty_plain_fork();
    if (process == 0) relay(master, terminal);
    return process < 0 ? -errno : 0;
}
