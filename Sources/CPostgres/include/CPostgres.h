// The C interface to libpq, PostgreSQL's client library. Without the package trait Postgres only these declarations are left,
// and nothing may call them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cpostgres_connection cpostgres_connection;
typedef struct cpostgres_result cpostgres_result;

/// What a call on a connection ended with.
enum {
    /// The server replied: see the result.
    CPOSTGRES_REPLIED = 0,
    /// The connection is lost. Whether the server performed the command is unknown.
    CPOSTGRES_LOST = -1,
    /// The time is over. Whether the server performed the command is unknown.
    CPOSTGRES_LATE = -2,
};

/// Connects to a server, or to the next one of the address if it does not answer, ends the connection or is not of the kind that
/// the address asks for.
/// @param address a connection URI or string, as libpq reads it; environment variables and files complete it.
/// @param seconds the longest wait for each server, at least 2, unless the address says otherwise.
/// @return nil only if there is no memory. Close it also if it is not open.
cpostgres_connection *_Nullable cpostgres_connect(const char *_Nonnull address, int seconds);

/// Whether the connection is usable.
bool cpostgres_is_open(const cpostgres_connection *_Nonnull connection);

/// Why the last call failed. The text is valid until the next call.
const char *_Nonnull cpostgres_error(const cpostgres_connection *_Nonnull connection);

/// Whether the last command brought a warning. A commit whose wait for a standby was cancelled succeeds with one.
bool cpostgres_warned(const cpostgres_connection *_Nonnull connection);

void cpostgres_close(cpostgres_connection *_Nullable connection);

/// Sends one command, or several without parameters, of which the last one's result is the reply.
/// @param values the parameters; NULL for null.
/// @param lengths the sizes of the parameters in bytes, for binary ones.
/// @param formats 0 for text, 1 for binary.
/// @param binary whether the result's values are binary; without parameters they are text.
/// @return CPOSTGRES_REPLIED once it is sent. After CPOSTGRES_LATE the connection is not usable any more.
int cpostgres_send(
    cpostgres_connection *_Nonnull connection, const char *_Nonnull command, int count,
    const char *_Nullable const *_Nullable values, const int *_Nullable lengths, const int *_Nullable formats, bool binary,
    int milliseconds);

/// Waits for the reply to the command that was sent.
/// @param result set if the server replied; release it with cpostgres_clear.
/// @return CPOSTGRES_LATE when the time is over: this function can be called again, and nothing else before it has returned the
///     reply.
int cpostgres_receive(
    cpostgres_connection *_Nonnull connection, int milliseconds, cpostgres_result *_Nullable *_Nonnull result);

/// Waits for a notification.
/// @param wake a descriptor that ends the wait when it is readable; -1 for none.
/// @return 1 for a notification, 0 when the time is over or the descriptor is readable, CPOSTGRES_LOST if the connection is lost.
int cpostgres_wait(cpostgres_connection *_Nonnull connection, int milliseconds, int wake);

/// Whether the command succeeded.
bool cpostgres_succeeded(const cpostgres_result *_Nonnull result);

/// The error's five characters of the SQL standard; empty for none.
const char *_Nonnull cpostgres_state(const cpostgres_result *_Nonnull result);

/// The error's text on one line; empty for none.
const char *_Nonnull cpostgres_message(const cpostgres_result *_Nonnull result);

int cpostgres_rows(const cpostgres_result *_Nonnull result);

int cpostgres_columns(const cpostgres_result *_Nonnull result);

/// The bytes of a value, followed by a zero; NULL for null.
const char *_Nullable cpostgres_value(const cpostgres_result *_Nonnull result, int row, int column, int *_Nonnull length);

void cpostgres_clear(cpostgres_result *_Nullable result);
