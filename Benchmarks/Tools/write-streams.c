// Holds many streams and writes one event to each when told to: what a server of streams costs at least, in C.
//
//   write-streams PORT EVENT-FILE
//
// A GET opens a stream and gets a first event. A PUT writes the content of EVENT-FILE to every stream, one system call
// each, and is then answered with 201. Nothing is parsed, stored or checked. One thread with epoll, loopback only.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS_AT_ONCE = 512, MAXIMUM = 65536 };

static const char HEAD[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
static const char CREATED[] = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
static char event[16384];
static size_t event_length;
static int streams[MAXIMUM], place[MAXIMUM], count, poller;

static void fail(const char *what) {
    fprintf(stderr, "write-streams: %s: %s\n", what, strerror(errno));
    exit(1);
}

// A reader that does not keep up would be handled by a real server; here it ends the measurement.
static void send_all(int fd, const char *bytes, size_t length) {
    if (send(fd, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send");
}

static void add(int fd) {
    struct epoll_event wanted = { .events = EPOLLIN, .data.fd = fd };
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &wanted) != 0) fail("epoll_ctl");
}

static void remove_stream(int fd) {
    if (place[fd] == 0) return;
    int last = streams[--count];
    streams[place[fd] - 1] = last;
    place[last] = place[fd];
    place[fd] = 0;
}

static void receive(int fd) {
    static char request[16384];
    ssize_t length = recv(fd, request, sizeof request, 0);
    if (length < 0 && errno == EAGAIN) return;
    if (length <= 0) {
        remove_stream(fd);
        close(fd);
    } else if (memcmp(request, "GET ", 4) == 0) {
        send_all(fd, HEAD, sizeof HEAD - 1);
        send_all(fd, event, event_length);
        streams[count++] = fd;
        place[fd] = count;
    } else if (memcmp(request, "PUT ", 4) == 0) {
        for (int i = 0; i < count; i++) send_all(streams[i], event, event_length);
        send_all(fd, CREATED, sizeof CREATED - 1);
    }
}

int main(int argc, char **argv) {
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: write-streams PORT EVENT-FILE\n");
        return 64;
    }
    event_length = fread(event, 1, sizeof event, file);
    fclose(file);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max < MAXIMUM ? limit.rlim_max : MAXIMUM;
    setrlimit(RLIMIT_NOFILE, &limit);

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(atoi(argv[1])) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4096) != 0) fail("listen");
    poller = epoll_create1(EPOLL_CLOEXEC);
    add(listener);
    for (;;) {
        static struct epoll_event events[EVENTS_AT_ONCE];
        int ready = epoll_wait(poller, events, EVENTS_AT_ONCE, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd != listener) {
                receive(events[i].data.fd);
                continue;
            }
            int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (fd < 0) continue;
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            add(fd);
        }
    }
}
