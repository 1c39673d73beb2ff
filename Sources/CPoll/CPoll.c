// For pipe2 and accept4.
#define _GNU_SOURCE
#include "CPoll.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef MSG_NOSIGNAL
enum { SEND_FLAGS = MSG_DONTWAIT | MSG_NOSIGNAL };
#else
// SO_NOSIGPIPE is set there.
enum { SEND_FLAGS = MSG_DONTWAIT };
#endif

// In one step.
enum { READY_AT_ONCE = 256 };

#ifdef __linux__

#include <sys/epoll.h>

int cpoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int cpoll_add(int set, int socket) {
    struct epoll_event event = { .events = EPOLLIN, .data.fd = socket };
    return epoll_ctl(set, EPOLL_CTL_ADD, socket, &event);
}

int cpoll_remove(int set, int socket) {
    struct epoll_event event = { 0 };
    return epoll_ctl(set, EPOLL_CTL_DEL, socket, &event);
}

int cpoll_wait(int set, int *ready, int capacity, int milliseconds) {
    struct epoll_event events[READY_AT_ONCE];
    if (capacity > READY_AT_ONCE) capacity = READY_AT_ONCE;
    int count = epoll_wait(set, events, capacity, milliseconds);
    for (int i = 0; i < count; i++) ready[i] = events[i].data.fd;
    return count < 0 ? 0 : count;
}

#else

#include <sys/event.h>
#include <time.h>

int cpoll_create(void) {
    int set = kqueue();
    if (set >= 0) fcntl(set, F_SETFD, FD_CLOEXEC);
    return set;
}

int cpoll_add(int set, int socket) {
    struct kevent change;
    EV_SET(&change, socket, EVFILT_READ, EV_ADD, 0, 0, NULL);
    return kevent(set, &change, 1, NULL, 0, NULL);
}

int cpoll_remove(int set, int socket) {
    struct kevent change;
    EV_SET(&change, socket, EVFILT_READ, EV_DELETE, 0, 0, NULL);
    return kevent(set, &change, 1, NULL, 0, NULL);
}

int cpoll_wait(int set, int *ready, int capacity, int milliseconds) {
    struct kevent events[READY_AT_ONCE];
    struct timespec limit = { milliseconds / 1000, milliseconds % 1000 * 1000000L };
    if (capacity > READY_AT_ONCE) capacity = READY_AT_ONCE;
    int count = kevent(set, NULL, 0, events, capacity, milliseconds < 0 ? NULL : &limit);
    for (int i = 0; i < count; i++) ready[i] = (int)events[i].ident;
    return count < 0 ? 0 : count;
}

#endif

static int accept_once(int listener, struct sockaddr *client, socklen_t *size) {
#ifdef __linux__
    return accept4(listener, client, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
    int socket = accept(listener, client, size), yes = 1;
    if (socket < 0) return socket;
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    fcntl(socket, F_SETFL, O_NONBLOCK);
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
    return socket;
#endif
}

int cpoll_accept(int listener, void *client) {
    int socket;
    // A client may have gone before its connection is accepted.
    do {
        socklen_t size = sizeof(struct sockaddr_storage);
        socket = accept_once(listener, client, &size);
    } while (socket < 0 && (errno == EINTR || errno == ECONNABORTED || errno == EPROTO));
    if (socket >= 0) return socket;
    return errno == EAGAIN || errno == EWOULDBLOCK ? -1 : -2;
}

long cpoll_receive(int socket, void *bytes, size_t count) {
    ssize_t result;
    do result = recv(socket, bytes, count, MSG_DONTWAIT); while (result < 0 && errno == EINTR);
    if (result >= 0) return result;
    return errno == EAGAIN || errno == EWOULDBLOCK ? -1 : -2;
}

int cpoll_has_input(int socket) {
    char byte;
    return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

long cpoll_send(int socket, const void *bytes, size_t count) {
    ssize_t result;
    do result = send(socket, bytes, count, SEND_FLAGS); while (result < 0 && errno == EINTR);
    if (result >= 0) return result;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS ? 0 : -2;
}

int cpoll_pipe(int *ends) {
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
#else
    if (pipe(ends) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    return 0;
#endif
}
