#include "CPostgres.h"

#ifdef POSTGRES

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static PGconn *of(const cpostgres_connection *connection) { return (PGconn *)connection; }
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

static void ignore(void *context, const PGresult *notice) {
    (void)context;
    (void)notice;
}

cpostgres_connection *cpostgres_connect(const char *address, int seconds) {
    char limit[12];
    snprintf(limit, sizeof limit, "%d", seconds);
    // A string with "=" or a URI in the value of dbname is expanded; later values override earlier ones. Only the blocking
    // call goes on to the next host when one does not answer.
    const char *const names[] = {"connect_timeout", "fallback_application_name", "dbname", NULL};
    const char *const values[] = {limit, "bellerophon-server", address, NULL};
    PGconn *connection = PQconnectdbParams(names, values, 1);
    if (connection == NULL || PQstatus(connection) != CONNECTION_OK) return (cpostgres_connection *)connection;
    // Notices would go to standard error. What matters ends as an error of a command.
    PQsetNoticeReceiver(connection, ignore, NULL);
    PQsetnonblocking(connection, 1);
    return (cpostgres_connection *)connection;
}

bool cpostgres_is_open(const cpostgres_connection *connection) {
    return PQstatus(of(connection)) == CONNECTION_OK;
}

const char *cpostgres_error(const cpostgres_connection *connection) { return PQerrorMessage(of(connection)); }

void cpostgres_close(cpostgres_connection *connection) {
    if (connection != NULL) PQfinish(of(connection));
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

int cpostgres_execute(
    cpostgres_connection *handle, const char *command, int count, const char *const *values, const int *lengths,
    const int *formats, bool binary, int milliseconds, cpostgres_result **result) {
    PGconn *connection = of(handle);
    int64_t end = now() + milliseconds;
    *result = NULL;
    if (!PQsendQueryParams(connection, command, count, NULL, values, lengths, formats, binary)) return CPOSTGRES_LOST;
    int sent = flush(connection, end);
    if (sent != CPOSTGRES_REPLIED) return sent;
    PGresult *last = NULL;
    for (;;) {
        while (PQisBusy(connection)) {
            int ready = await(PQsocket(connection), POLLIN, end);
            if (ready <= 0 || !PQconsumeInput(connection)) {
                PQclear(last);
                return ready == 0 ? CPOSTGRES_LATE : CPOSTGRES_LOST;
            }
        }
        PGresult *next = PQgetResult(connection);
        if (next == NULL) break;
        PQclear(last);
        last = next;
    }
    if (last == NULL || PQstatus(connection) != CONNECTION_OK) {
        PQclear(last);
        return CPOSTGRES_LOST;
    }
    *result = (cpostgres_result *)last;
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
