// posix_openpt, ptsname_r and cfmakeraw are declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "CPty.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

// MARK: Descriptors

ssize_t cpty_read(int descriptor, void *buffer, size_t room) {
    ssize_t count;
    while ((count = read(descriptor, buffer, room)) < 0)
        if (errno != EINTR) return -errno;
    return count;
}

ssize_t cpty_write(int descriptor, const void *bytes, size_t count) {
    ssize_t written;
    while ((written = write(descriptor, bytes, count)) < 0)
        if (errno != EINTR) return -errno;
    return written;
}

int cpty_close(int descriptor) { return close(descriptor) == 0 ? 0 : -errno; }

int cpty_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) return -errno;
    return 0;
}

/// Moves a descriptor above 2, where standard input, output and error belong. -1 with errno on failure.
static int above_standard(int descriptor) {
    if (descriptor < 0 || descriptor > 2) return descriptor;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3), error = errno;
    close(descriptor);
    errno = error;
    return moved;
}

int cpty_make_pipe(int ends[2]) {
#ifdef __linux__
    if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
#else
    if (pipe(ends) != 0) return -errno;
#endif
    for (int end = 0; end < 2; end++) {
        ends[end] = above_standard(ends[end]);
        if (ends[end] >= 0 && fcntl(ends[end], F_SETFD, FD_CLOEXEC) == 0) continue;
        int error = -errno;
        close(ends[1 - end]);
        return error;
    }
    int error = cpty_set_nonblocking(ends[0]);
    if (error != 0) {
        close(ends[0]);
        close(ends[1]);
    }
    return error;
}

int cpty_make_input(const void *bytes, size_t count) {
#ifdef __linux__
    int file = memfd_create("input", MFD_CLOEXEC);
#else
    char path[] = "/tmp/bellerophon-input-XXXXXX";
    int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) unlink(path);
#endif
    if (file < 0) return -errno;
    file = above_standard(file);
    if (file < 0) return -errno;
    int error = fcntl(file, F_SETFD, FD_CLOEXEC) == 0 ? 0 : -errno;
    for (size_t done = 0; error == 0 && done < count;) {
        ssize_t written = cpty_write(file, (const char *)bytes + done, count - done);
        if (written < 0) error = (int)written;
        else done += (size_t)written;
    }
    if (error == 0 && lseek(file, 0, SEEK_SET) < 0) error = -errno;
    if (error == 0) return file;
    close(file);
    return error;
}

bool cpty_wait_for_input(int descriptor) {
    struct pollfd probe = {.fd = descriptor, .events = POLLIN};
    while (poll(&probe, 1, -1) < 0)
        if (errno != EINTR && errno != EAGAIN) return false;
    return probe.revents & POLLIN;
}

bool cpty_wait_for_output(int descriptor, int milliseconds) {
    struct pollfd probe = {.fd = descriptor, .events = POLLOUT};
    return poll(&probe, 1, milliseconds) > 0;
}

void cpty_let_go_of_input_and_output(void) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return;
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    if (nothing > 2) close(nothing);
}

// MARK: Terminals

bool cpty_is_terminal(int descriptor) { return isatty(descriptor) == 1; }

bool cpty_is_same_terminal(int first, int second) {
    struct stat one, other;
    if (!isatty(first) || !isatty(second)) return false;
    if (fstat(first, &one) != 0 || fstat(second, &other) != 0) return false;
    return one.st_rdev == other.st_rdev && one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

bool cpty_is_hung_up(int descriptor) {
    struct pollfd probe = {.fd = descriptor, .events = POLLIN};
    return poll(&probe, 1, 0) > 0 && (probe.revents & (POLLHUP | POLLERR | POLLNVAL));
}

bool cpty_has_input(int descriptor) {
    struct pollfd probe = {.fd = descriptor, .events = POLLIN};
    return poll(&probe, 1, 0) > 0;
}

bool cpty_is_foreground(int descriptor) {
    pid_t group = tcgetpgrp(descriptor);
    return group < 0 || group == getpgrp();
}

int cpty_reopen_terminal(int descriptor) {
    const int flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    char name[256];
    int error = ttyname_r(descriptor, name, sizeof name);
    if (error == 0) {
        int opened = open(name, flags);
        if (opened >= 0) return opened;
        error = errno;
    }
    // The name may lie in another mount namespace or belong to another user. Only for the controlling terminal the session
    // can be asked, and that one has a second name.
    if (tcgetsid(descriptor) < 0) return -error;
    int opened = open("/dev/tty", flags);
    return opened >= 0 ? opened : -errno;
}

int cpty_get_size(int descriptor, struct cpty_size *size) {
    struct winsize found;
    if (ioctl(descriptor, TIOCGWINSZ, &found) != 0) return -errno;
    *size = (struct cpty_size){found.ws_col, found.ws_row, found.ws_xpixel, found.ws_ypixel};
    return 0;
}

int cpty_set_size(int descriptor, const struct cpty_size *size) {
    struct winsize wanted = {
        .ws_col = size->columns, .ws_row = size->rows, .ws_xpixel = size->width, .ws_ypixel = size->height,
    };
    return ioctl(descriptor, TIOCSWINSZ, &wanted) == 0 ? 0 : -errno;
}

int cpty_get_modes(int descriptor, struct termios *modes) { return tcgetattr(descriptor, modes) == 0 ? 0 : -errno; }

int cpty_set_modes(int descriptor, const struct termios *modes) {
    while (tcsetattr(descriptor, TCSANOW, modes) != 0)
        if (errno != EINTR) return -errno;
    return 0;
}

void cpty_make_raw(struct termios *modes) { cfmakeraw(modes); }

void cpty_make_screen(struct termios *modes, bool interrupts, bool stops) {
    modes->c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | IXOFF | ISTRIP);
    modes->c_oflag &= ~(tcflag_t)ONLCR;
    modes->c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
    modes->c_lflag |= ISIG | NOFLSH;
    modes->c_cc[VMIN] = 1;
    modes->c_cc[VTIME] = 0;
    if (!interrupts) modes->c_cc[VINTR] = _POSIX_VDISABLE;
    if (stops) return;
    modes->c_cc[VSUSP] = _POSIX_VDISABLE;
#ifdef VDSUSP
    modes->c_cc[VDSUSP] = _POSIX_VDISABLE;
#endif
}

int cpty_take_back(int descriptor, const struct termios *modes) {
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stop, &before);
    pid_t own = getpgrp(), foreground = tcgetpgrp(descriptor);
    if (foreground > 1 && foreground != own && kill(-foreground, 0) != 0 && errno == ESRCH && tcsetpgrp(descriptor, own) == 0)
        foreground = own;
    // A negative number: it is not the terminal of this session.
    int result = foreground < 0 || foreground == own ? tcsetattr(descriptor, TCSANOW, modes) : 0, error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result == 0 ? 0 : -error;
}

int cpty_drop_input(int descriptor) { return tcflush(descriptor, TCIFLUSH) == 0 ? 0 : -errno; }

int cpty_continue_output(int descriptor) { return tcflow(descriptor, TCOON) == 0 ? 0 : -errno; }

// MARK: Pseudo-terminals

static int open_master(void) {
#ifdef __linux__
    return above_standard(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
#else
    int master = above_standard(posix_openpt(O_RDWR | O_NOCTTY));
    if (master >= 0) fcntl(master, F_SETFD, FD_CLOEXEC);
    return master;
#endif
}

static int open_slave(int master) {
    const int flags = O_RDWR | O_NOCTTY | O_CLOEXEC;
#ifdef TIOCGPTPEER
    // Works also where the slave has no name, as in another mount namespace.
    int peer = ioctl(master, TIOCGPTPEER, flags);
    if (peer >= 0) return above_standard(peer);
#endif
    char name[256];
    if (ptsname_r(master, name, sizeof name) != 0) return -1;
    return above_standard(open(name, flags));
}

int cpty_open_pair(const struct termios *modes, const struct cpty_size *size, int *master, int *slave) {
    int error;
    *slave = -1;
    *master = open_master();
    if (*master < 0) return -errno;
    if (grantpt(*master) != 0 || unlockpt(*master) != 0) goto failed;
    *slave = open_slave(*master);
    if (*slave < 0) goto failed;
    if (modes && tcsetattr(*slave, TCSANOW, modes) != 0) goto failed;
    if (size && (error = cpty_set_size(*slave, size)) != 0) {
        errno = -error;
        goto failed;
    }
    return 0;
failed:
    error = errno;
    if (*slave >= 0) close(*slave);
    close(*master);
    return -error;
}
