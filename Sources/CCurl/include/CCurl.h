#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __linux__
#include <curl/curl.h>

/// The only module that calls libcurl, whose option calls are variadic and therefore not visible to Swift.

/// Takes bytes; returns their count, `CURL_WRITEFUNC_PAUSE`, or 0 to end the transfer.
typedef size_t (*ccurl_sink)(char *bytes, size_t size, size_t count, void *context);

/// Gives bytes of an upload; returns their count, 0 at the end, or `CURL_READFUNC_ABORT`.
typedef size_t (*ccurl_source)(char *bytes, size_t size, size_t count, void *context);

/// Moves an upload to a position, so that it can be sent again; returns `CURL_SEEKFUNC_OK` or another of these.
typedef int (*ccurl_seek)(void *context, curl_off_t offset, int origin);

/// The two ends of a connection. The texts are valid during the call only.
typedef struct {
    const char *local_address;
    int local_port;
    const char *remote_address;
    int remote_port;
    /// Whether this transfer made the connection. Otherwise earlier transfers have used it.
    bool is_new;
} ccurl_ends;

/// Is told of the connection before the request is sent on it. False closes the connection, and the transfer ends with
/// `CURLE_ABORTED_BY_CALLBACK` before anything was sent.
typedef bool (*ccurl_connected)(const ccurl_ends *ends, void *context);

/// What one transfer sends. All that is pointed to is copied.
typedef struct {
    const char *url;
    const char *method;
    /// Lines of the form `Name: value`.
    const char *const *headers;
    size_t header_count;
    /// Bytes sent as the body; NULL sends none.
    const void *body;
    size_t body_size;
    /// Gives the body where there are no bytes; NULL sends none.
    ccurl_source source;
    ccurl_seek seek;
    int64_t source_size;
    /// A PEM file and a folder of trusted certificates in place of the system's; NULL keeps the system's.
    const char *trusted_file;
    const char *trusted_folder;
    /// Whether the address is one of the loopback interface: no proxy is used, and `localhost` is not looked up.
    bool is_loopback;
    /// The port of the address.
    int port;
} ccurl_request;

/// One transfer: an easy handle and what it needs for as long as it runs.
typedef struct ccurl_transfer ccurl_transfer;

/// Prepares libcurl; call it once, before anything else. False if that fails.
bool ccurl_prepare(void);

/// Makes the handle that drives many transfers on one thread; NULL without memory or without free file descriptors.
CURLM *ccurl_multi_new(void);

/// Makes a transfer; NULL without memory or where an option is refused.
/// @param head Takes each line of each response head and of the trailer, line end included.
/// @param body Takes the body as it comes, without the chunks' framing.
ccurl_transfer *ccurl_transfer_new(
    const ccurl_request *request, ccurl_connected connected, ccurl_sink head, ccurl_sink body, void *context);

/// Frees a transfer that no multi handle holds any longer.
void ccurl_transfer_free(ccurl_transfer *transfer);

CURL *ccurl_transfer_easy(ccurl_transfer *transfer);

/// Lets a paused transfer go on. The sinks may be called before this returns.
void ccurl_transfer_resume(ccurl_transfer *transfer);

/// Makes the transfer use a new connection when it is started again.
void ccurl_transfer_reconnect(ccurl_transfer *transfer);

/// The connection of a transfer that is complete, if it was kept for the next one; -1 otherwise.
int ccurl_transfer_socket(const ccurl_transfer *transfer);

/// Whether the peer has sent bytes that nobody has read, or the connection is over.
/// @param socket The socket of the connection, which the transfer has been told of.
bool ccurl_transfer_has_unread(const ccurl_transfer *transfer, int socket);

/// libcurl's own words about the last failure; empty where it has none.
const char *ccurl_transfer_error(const ccurl_transfer *transfer);

/// The `errno` of the last failed connect; 0 where there is none.
int ccurl_transfer_errno(const ccurl_transfer *transfer);

/// The status code of a proxy's answer to CONNECT; 0 where there was none.
long ccurl_transfer_proxy_status(const ccurl_transfer *transfer);

/// The context of the transfer that a message is about.
void *ccurl_message_context(const CURLMsg *message);
CURLcode ccurl_message_result(const CURLMsg *message);

/// Waits for something to do, for `ccurl_wake`, or for an hour.
void ccurl_wait(CURLM *multi);
void ccurl_wake(CURLM *multi);

/// Blocks every signal for the calling thread: they are for the program's other threads, and SIGPIPE is for nobody.
void ccurl_block_signals(void);

#endif
#endif
