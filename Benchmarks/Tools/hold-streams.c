// Holds many streams of events open, publishes when told to, and says how long each stream waited for the event.
//
//   hold-streams PORT PATH COUNT
//
// Prints `ready COUNT` once every stream has had its first event, then obeys lines on standard input:
//
//   publish PATH BODY   PUTs BODY; prints `published STATUS ACK P50 P99 LAST RECEIVED` (microseconds from the
//                       first byte of the request: to the reply, and to the event's last byte on the streams)
//   count               prints `open N`: how many streams are still there
//
// The token is read from BELLEROPHON_TOKEN. It ends with its standard input. One thread with epoll, loopback only.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTING_AT_ONCE = 128, EVENTS_AT_ONCE = 512, READ_SIZE = 16384 };

struct stream {
    int fd;
    int matched;        // bytes of EVENT seen so far
    int in_event;       // a status event has begun
    int line_feeds;     // in a row
    int events;         // complete status events
    int64_t arrived;    // microseconds; when the last one was complete
};

static const char EVENT[] = "event: status\n";
static struct stream *streams;
static int count, waiting_for_first, open_streams, poller;
static int port;
static const char *path;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void fail(const char *what) {
    fprintf(stderr, "hold-streams: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int connect_to_server(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) fail("socket");
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

static void open_stream(int index) {
    struct stream *stream = &streams[index];
    stream->fd = connect_to_server();
    char request[512];
    int length = snprintf(request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n", path);
    if (write(stream->fd, request, length) != length) fail("write");
    if (fcntl(stream->fd, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
    struct epoll_event event = { .events = EPOLLIN, .data.u32 = index };
    if (epoll_ctl(poller, EPOLL_CTL_ADD, stream->fd, &event) != 0) fail("epoll_ctl");
    waiting_for_first++;
    open_streams++;
}

// Counts the status events whose blank line has come.
static void scan(struct stream *stream, const char *bytes, ssize_t length, int64_t time) {
    for (ssize_t i = 0; i < length; i++) {
        char c = bytes[i];
        if (c == '\r') continue;  // Chunk sizes, where a proxy adds them, end in CRLF.
        stream->matched = c == EVENT[stream->matched] ? stream->matched + 1 : c == EVENT[0];
        if (stream->matched == (int)sizeof EVENT - 1) {
            stream->in_event = 1;
            stream->matched = 0;
        }
        stream->line_feeds = c == '\n' ? stream->line_feeds + 1 : 0;
        if (!stream->in_event || stream->line_feeds != 2) continue;
        stream->in_event = 0;
        stream->arrived = time;
        if (stream->events++ == 0) waiting_for_first--;
    }
}

static void receive(int index) {
    static char buffer[READ_SIZE];
    struct stream *stream = &streams[index];
    ssize_t length = read(stream->fd, buffer, sizeof buffer);
    if (length > 0) return scan(stream, buffer, length, now());
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    close(stream->fd);
    stream->fd = -1;
    open_streams--;
    if (stream->events == 0) {
        fprintf(stderr, "hold-streams: a stream was closed before its first event\n");
        exit(1);
    }
}

// Handles what is there, waiting up to `milliseconds` for something.
// Returns whether standard input, which has the index `count`, has a line.
static int turn(int milliseconds) {
    static struct epoll_event events[EVENTS_AT_ONCE];
    int has_input = 0;
    int ready = epoll_wait(poller, events, EVENTS_AT_ONCE, milliseconds);
    for (int i = 0; i < ready; i++) {
        if ((int)events[i].data.u32 == count) has_input = 1;
        else receive(events[i].data.u32);
    }
    return has_input;
}

static int by_value(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

// Sends the request on a connection of its own, and returns that.
static int send_publish(const char *target, const char *body) {
    const char *token = getenv("BELLEROPHON_TOKEN");
    static char request[8192];
    int length = snprintf(request, sizeof request,
        "PUT %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"
        "Content-Length: %zu\r\nConnection: close\r\n\r\n%s", target, token ? token : "", strlen(body), body);
    if (length >= (int)sizeof request) { errno = EMSGSIZE; fail("publish"); }
    int fd = connect_to_server();
    if (write(fd, request, length) != length) fail("write");
    if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
    return fd;
}

static void publish(const char *target, const char *body) {
    int *before = malloc(count * sizeof *before);
    int64_t *waits = malloc(count * sizeof *waits);
    if (!before || !waits) fail("malloc");
    for (int i = 0; i < count; i++) before[i] = streams[i].events;
    int64_t start = now(), acknowledged = 0;
    int fd = send_publish(target, body), status = 0, received = 0;
    while (now() - start < 10000000 && (received < open_streams || !acknowledged)) {
        turn(acknowledged ? 10 : 1);
        char reply[4096];
        ssize_t length = acknowledged ? -1 : read(fd, reply, sizeof reply - 1);
        if (length > 0) {
            reply[length] = 0;
            acknowledged = now();
            sscanf(reply, "HTTP/1.1 %d", &status);
        }
        received = 0;
        for (int i = 0; i < count; i++) received += streams[i].fd >= 0 && streams[i].events > before[i];
    }
    close(fd);
    received = 0;
    for (int i = 0; i < count; i++)
        if (streams[i].events > before[i]) waits[received++] = streams[i].arrived - start;
    qsort(waits, received, sizeof *waits, by_value);
    printf("published %d %lld %lld %lld %lld %d\n", status, (long long)(acknowledged - start),
        (long long)(received ? waits[received / 2] : -1), (long long)(received ? waits[received * 99 / 100] : -1),
        (long long)(received ? waits[received - 1] : -1), received);
    free(before);
    free(waits);
}

static void obey(char *line) {
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, "count") == 0) {
        printf("open %d\n", open_streams);
    } else if (strncmp(line, "publish ", 8) == 0 && strchr(line + 8, ' ')) {
        char *body = strchr(line + 8, ' ');
        *body++ = 0;
        publish(line + 8, body);
    } else {
        printf("unknown command\n");
    }
}

static void allow_descriptors(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: hold-streams PORT PATH COUNT\n");
        return 64;
    }
    port = atoi(argv[1]);
    path = argv[2];
    count = atoi(argv[3]);
    allow_descriptors();
    setvbuf(stdout, NULL, _IOLBF, 0);
    streams = calloc(count, sizeof *streams);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (!streams || poller < 0) fail("start");
    for (int i = 0; i < count; i++) {
        open_stream(i);
        while (waiting_for_first >= CONNECTING_AT_ONCE) turn(1000);
    }
    while (waiting_for_first > 0) turn(1000);
    printf("ready %d\n", count);

    struct epoll_event input = { .events = EPOLLIN, .data.u32 = count };
    if (epoll_ctl(poller, EPOLL_CTL_ADD, 0, &input) != 0) fail("epoll_ctl");
    static char line[8192];
    size_t used = 0;
    for (;;) {
        if (!turn(1000)) continue;
        ssize_t length = read(0, line + used, sizeof line - 1 - used);
        if (length <= 0) return 0;
        used += length;
        line[used] = 0;
        for (char *end; (end = strchr(line, '\n'));) {
            static char one[8192];
            *end = 0;
            strcpy(one, line);
            used -= end + 1 - line;
            memmove(line, end + 1, used + 1);
            obey(one);
        }
    }
}
