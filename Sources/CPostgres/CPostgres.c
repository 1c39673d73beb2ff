#include "CPostgres.h"

#ifdef POSTGRES

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

struct cpostgres_connection {
    PGconn *session;
    /// Why the servers of the address could not be reached, one after the other; NULL for none.
    char *reasons;
    /// Whether the present command has brought a warning.
    bool warned;
    /// The newest result of the present command, until all of its reply has come.
    PGresult *last;
};

static PGconn *of(const cpostgres_connection *connection) { return connection->session; }
static PGresult *in(const cpostgres_result *result) { return (PGresult *)result; }

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Waits until a socket is ready. Returns 1 if it is, 0 when the time is over, -1 for an error.
static int await(int socket, short events, int64_t end) {
    struct pollfd entry = {.fd = socket, .events = events};
    for (;;) {
        int64_t rest = end - now();
        if (rest < 0) rest = 0;
        int ready = poll(&entry, 1, rest > 3600000 ? 3600000 : (int)rest);
        if (ready > 0) return 1;
        if (ready == 0) return 0;
        if (errno != EINTR) return -1;
    }
}

// Notices would go to standard error.
static void note(void *context, const PGresult *notice) {
    cpostgres_connection *connection = context;
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity != NULL && strcmp(severity, "WARNING") == 0) connection->warned = true;
}

static const char *value_of(const PQconninfoOption *options, const char *keyword) {
    for (; options->keyword != NULL; options++)
        if (strcmp(options->keyword, keyword) == 0) return options->val;
    return NULL;
}

/// Where a server is.
struct place {
    const char *host, *number, *port;
};

/// Tries one server, and adds the reason to those of the former tries if it fails.
/// @param options the parts of the address, of which the place is replaced.
static bool try_place(
    cpostgres_connection *connection, const PQconninfoOption *options, const char *limit, struct place place) {
    // libpq has about forty parameters.
    const char *names[72], *values[72];
    int count = 0;
#define ADD(name, value) (names[count] = (name), values[count] = (value), count++)
    // Later values override earlier ones. Only the blocking call obeys the limit.
    ADD("connect_timeout", limit);
    ADD("fallback_application_name", "bellerophon-server");
    for (; options->keyword != NULL && count < 64; options++) {
        const char *name = options->keyword;
        bool isPlace = strcmp(name, "host") == 0 || strcmp(name, "hostaddr") == 0 || strcmp(name, "port") == 0;
        if (options->val != NULL && !isPlace) ADD(name, options->val);
    }
    if (place.host != NULL) ADD("host", place.host);
    if (place.number != NULL) ADD("hostaddr", place.number);
    if (place.port != NULL) ADD("port", place.port);
    ADD(NULL, NULL);
#undef ADD
    if (connection->session != NULL) PQfinish(connection->session);
    connection->session = PQconnectdbParams(names, values, 0);
    if (connection->session == NULL) return false;
    if (PQstatus(connection->session) == CONNECTION_OK) return true;
    const char *reason = PQerrorMessage(connection->session);
    size_t known = connection->reasons == NULL ? 0 : strlen(connection->reasons);
    // Names with many addresses must not make an endless text.
    if (known > 2000) return false;
    char *reasons = realloc(connection->reasons, known + strlen(reason) + 1);
    if (reasons == NULL) return false;
    strcpy(reasons + known, reason);
    connection->reasons = reasons;
    return false;
}

/// Tries each numeric address of a host.
static bool try_host(
    cpostgres_connection *connection, const PQconninfoOption *options, const char *limit, struct place place) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    bool isName = place.host != NULL && place.number == NULL && place.host[0] != '/' && place.host[0] != '@';
    // libpq gives the reason if a name is not found.
    if (!isName || getaddrinfo(place.host, NULL, &hints, &found) != 0) return try_place(connection, options, limit, place);
    bool isOpen = false;
    for (struct addrinfo *entry = found; entry != NULL && !isOpen; entry = entry->ai_next) {
        char number[NI_MAXHOST];
        if (getnameinfo(entry->ai_addr, entry->ai_addrlen, number, sizeof number, NULL, 0, NI_NUMERICHOST) != 0) continue;
        isOpen = try_place(connection, options, limit, (struct place){place.host, number, place.port});
    }
    freeaddrinfo(found);
    return isOpen;
}

/// An element of a list that is separated by commas, in a new string; NULL if the list is shorter, or if the element is empty.
static char *element(const char *list, int index) {
    for (; list != NULL && index > 0; index--) {
        list = strchr(list, ',');
        if (list != NULL) list++;
    }
    size_t length = list == NULL ? 0 : strcspn(list, ",");
    return length == 0 ? NULL : strndup(list, length);
}

static int elements(const char *list) {
    int count = list == NULL ? 0 : 1;
    for (; list != NULL && (list = strchr(list, ',')) != NULL; list++) count++;
    return count;
}

/// Tries the servers of an address in turn. libpq itself does not go on to the next one if something accepts the connection and
/// closes it, as a load balancer does whose server is gone.
static void try_all(cpostgres_connection *connection, const PQconninfoOption *options, const char *limit) {
    const char *hosts = value_of(options, "host"), *numbers = value_of(options, "hostaddr"), *ports = value_of(options, "port");
    // A service file may have the servers. libpq reads it.
    bool isService = value_of(options, "service") != NULL || getenv("PGSERVICE") != NULL;
    if (hosts == NULL && numbers == NULL && !isService) {
        hosts = getenv("PGHOST");
        numbers = getenv("PGHOSTADDR");
    }
    if (ports == NULL && !isService) ports = getenv("PGPORT");
    int count = elements(hosts) > elements(numbers) ? elements(hosts) : elements(numbers);
    bool isOpen = false;
    for (int index = 0; index < (count == 0 ? 1 : count) && !isOpen; index++) {
        char *host = element(hosts, index), *number = element(numbers, index);
        // A single port is for all hosts.
        char *port = element(ports, elements(ports) == 1 ? 0 : index);
        isOpen = try_host(connection, options, limit, (struct place){host, number, port});
        free(host);
        free(number);
        free(port);
    }
}

cpostgres_connection *cpostgres_connect(const char *address, int seconds) {
    char limit[12];
    snprintf(limit, sizeof limit, "%d", seconds);
    cpostgres_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) return NULL;
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    if (options == NULL) {
        // libpq gives the reason.
        connection->session = PQconnectdb(address);
    } else {
        try_all(connection, options, limit);
        PQconninfoFree(options);
    }
    if (connection->session == NULL) {
        cpostgres_close(connection);
        return NULL;
    }
    if (PQstatus(connection->session) != CONNECTION_OK) return connection;
    free(connection->reasons);
    connection->reasons = NULL;
    PQsetNoticeReceiver(connection->session, note, connection);
    PQsetnonblocking(connection->session, 1);
    return connection;
}

bool cpostgres_is_open(const cpostgres_connection *connection) {
    return PQstatus(of(connection)) == CONNECTION_OK;
}

const char *cpostgres_error(const cpostgres_connection *connection) {
    return connection->reasons == NULL ? PQerrorMessage(of(connection)) : connection->reasons;
}

bool cpostgres_warned(const cpostgres_connection *connection) { return connection->warned; }

void cpostgres_close(cpostgres_connection *connection) {
    if (connection == NULL) return;
    PQclear(connection->last);
    PQfinish(of(connection));
    free(connection->reasons);
    free(connection);
}

/// Sends what is in the buffer, and reads meanwhile, because a server that can't send does not read.
static int flush(PGconn *connection, int64_t end) {
    for (;;) {
        int rest = PQflush(connection);
        if (rest == 0) return CPOSTGRES_REPLIED;
        if (rest < 0) return CPOSTGRES_LOST;
        int ready = await(PQsocket(connection), POLLIN | POLLOUT, end);
        if (ready <= 0) return ready == 0 ? CPOSTGRES_LATE : CPOSTGRES_LOST;
        if (!PQconsumeInput(connection)) return CPOSTGRES_LOST;
    }
}

int cpostgres_send(
    cpostgres_connection *handle, const char *command, int count, const char *const *values, const int *lengths,
    const int *formats, bool binary, int milliseconds) {
    PGconn *connection = of(handle);
    handle->warned = false;
    PQclear(handle->last);
    handle->last = NULL;
    // Only without parameters a text may have several commands.
    int isSent = count == 0
        ? PQsendQuery(connection, command)
        : PQsendQueryParams(connection, command, count, NULL, values, lengths, formats, binary);
    if (!isSent) return CPOSTGRES_LOST;
    return flush(connection, now() + milliseconds);
}

int cpostgres_receive(cpostgres_connection *handle, int milliseconds, cpostgres_result **result) {
    PGconn *connection = of(handle);
    int64_t end = now() + milliseconds;
    *result = NULL;
    for (;;) {
        while (PQisBusy(connection)) {
            int ready = await(PQsocket(connection), POLLIN, end);
            if (ready == 0) return CPOSTGRES_LATE;
            if (ready < 0 || !PQconsumeInput(connection)) return CPOSTGRES_LOST;
        }
        PGresult *next = PQgetResult(connection);
        if (next == NULL) break;
        PQclear(handle->last);
        handle->last = next;
    }
    if (handle->last == NULL || PQstatus(connection) != CONNECTION_OK) return CPOSTGRES_LOST;
    *result = (cpostgres_result *)handle->last;
    handle->last = NULL;
    return CPOSTGRES_REPLIED;
}

int cpostgres_wait(cpostgres_connection *handle, int milliseconds, int wake) {
    PGconn *connection = of(handle);
    int64_t end = now() + milliseconds;
    for (;;) {
        if (!PQconsumeInput(connection)) return CPOSTGRES_LOST;
        PGnotify *note = PQnotifies(connection);
        if (note != NULL) {
            // Several notifications are one reason to look.
            do {
                PQfreemem(note);
                note = PQnotifies(connection);
            } while (note != NULL);
            return 1;
        }
        struct pollfd entries[] = {{.fd = PQsocket(connection), .events = POLLIN}, {.fd = wake, .events = POLLIN}};
        int64_t rest = end - now();
        if (rest <= 0) return 0;
        int ready = poll(entries, wake >= 0 ? 2 : 1, (int)rest);
        if (ready < 0 && errno != EINTR) return CPOSTGRES_LOST;
        if (ready > 0 && wake >= 0 && entries[1].revents != 0) return 0;
    }
}

bool cpostgres_succeeded(const cpostgres_result *result) {
    ExecStatusType status = PQresultStatus(in(result));
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

static const char *field(const cpostgres_result *result, int code) {
    const char *text = PQresultErrorField(in(result), code);
    return text == NULL ? "" : text;
}

const char *cpostgres_state(const cpostgres_result *result) { return field(result, PG_DIAG_SQLSTATE); }

const char *cpostgres_message(const cpostgres_result *result) { return field(result, PG_DIAG_MESSAGE_PRIMARY); }

int cpostgres_rows(const cpostgres_result *result) { return PQntuples(in(result)); }

int cpostgres_columns(const cpostgres_result *result) { return PQnfields(in(result)); }

const char *cpostgres_value(const cpostgres_result *result, int row, int column, int *length) {
    if (PQgetisnull(in(result), row, column)) return NULL;
    *length = PQgetlength(in(result), row, column);
    return PQgetvalue(in(result), row, column);
}

void cpostgres_clear(cpostgres_result *result) { PQclear(in(result)); }

#endif
