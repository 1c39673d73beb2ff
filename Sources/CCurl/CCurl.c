#define _GNU_SOURCE
#include "CCurl.h"

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

struct ccurl_transfer {
    CURL *easy;
    struct curl_slist *headers;
    struct curl_slist *addresses;
    ccurl_connected connected;
    void *context;
    int socket_error;
    char error[CURL_ERROR_SIZE];
};

bool ccurl_prepare(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

CURLM *ccurl_multi_new(void) {
    CURLM *multi = curl_multi_init();
    if (!multi) return NULL;
    // Without descriptors libcurl makes a handle that can't be woken.
    if (curl_multi_wakeup(multi) != CURLM_OK) {
        curl_multi_cleanup(multi);
        return NULL;
    }
    // Connections that are kept for the next request to the same server.
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 128L);
    return multi;
}

// A program that is started meanwhile, such as an update command, must not get our connections.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    int made = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (made < 0 && (errno == EMFILE || errno == ENFILE)) ((ccurl_transfer *)context)->socket_error = errno;
    return made;
}

// MARK: Options

static CURLcode set_limits(CURL *easy) {
    CURLcode result = CURLE_OK;
#define SET(option, value) if (result == CURLE_OK) result = curl_easy_setopt(easy, option, value)
#if LIBCURL_VERSION_NUM >= 0x075500
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
#else
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    // HTTP/2 would put a stream and the checks that watch over it on one connection, and would keep a connection whose
    // request has failed.
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_NOPROGRESS, 1L);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_BUFFERSIZE, 64L * 1024);
#if LIBCURL_VERSION_NUM >= 0x075700
    // Ending a transfer, or the program, must not wait for a name lookup that hangs.
    SET(CURLOPT_QUICK_EXIT, 1L);
#endif
    return result;
}

static CURLcode set_body(CURL *easy, const ccurl_request *request, void *context) {
    CURLcode result = CURLE_OK;
    if (request->source) {
        SET(CURLOPT_UPLOAD, 1L);
        SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->source_size);
        SET(CURLOPT_READFUNCTION, request->source);
        SET(CURLOPT_READDATA, context);
        SET(CURLOPT_SEEKFUNCTION, request->seek);
        SET(CURLOPT_SEEKDATA, context);
    } else if (request->body) {
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
        SET(CURLOPT_COPYPOSTFIELDS, request->body);
    } else if (strcmp(request->method, "HEAD") == 0) {
        SET(CURLOPT_NOBODY, 1L);
        return result;
    }
    SET(CURLOPT_CUSTOMREQUEST, request->method);
    return result;
}

// MARK: The connection

#if LIBCURL_VERSION_NUM >= 0x075000
static int before_request(void *context, char *remote, char *local, int remote_port, int local_port) {
    ccurl_transfer *transfer = context;
    long made = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_NUM_CONNECTS, &made);
    const ccurl_ends ends = {local, local_port, remote, remote_port, made > 0};
    return transfer->connected(&ends, transfer->context) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}
#endif

static CURLcode set_connection(ccurl_transfer *transfer, const ccurl_request *request) {
    CURL *easy = transfer->easy;
    CURLcode result = CURLE_OK;
    SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SET(CURLOPT_OPENSOCKETDATA, transfer);
#if LIBCURL_VERSION_NUM >= 0x075000
    SET(CURLOPT_PREREQFUNCTION, before_request);
    SET(CURLOPT_PREREQDATA, transfer);
#else
    // Without that call nobody can tell what waits on an idle connection.
    SET(CURLOPT_FORBID_REUSE, 1L);
#endif
    if (!request->is_loopback) return result;
    SET(CURLOPT_PROXY, "");
    char pinned[64];
    snprintf(pinned, sizeof pinned, "localhost:%d:127.0.0.1,[::1]", request->port);
    transfer->addresses = curl_slist_append(NULL, pinned);
    if (!transfer->addresses) return CURLE_OUT_OF_MEMORY;
    SET(CURLOPT_RESOLVE, transfer->addresses);
    return result;
}

static CURLcode set_headers(ccurl_transfer *transfer, const ccurl_request *request) {
    bool has_type = false;
    // No interim answer is waited for before a body is sent.
    struct curl_slist *list = curl_slist_append(NULL, "Expect:");
    for (size_t index = 0; list && index < request->header_count; index++) {
        struct curl_slist *longer = curl_slist_append(list, request->headers[index]);
        if (!longer) curl_slist_free_all(list);
        list = longer;
        if (strncasecmp(request->headers[index], "content-type:", 13) == 0) has_type = true;
    }
    if (list && !has_type) {
        struct curl_slist *longer = curl_slist_append(list, "Content-Type:");
        if (!longer) curl_slist_free_all(list);
        list = longer;
    }
    transfer->headers = list;
    return list ? curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, list) : CURLE_OUT_OF_MEMORY;
}

ccurl_transfer *ccurl_transfer_new(
    const ccurl_request *request, ccurl_connected connected, ccurl_sink head, ccurl_sink body, void *context) {
    ccurl_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    transfer->connected = connected;
    transfer->context = context;
    CURL *easy = transfer->easy = curl_easy_init();
    CURLcode result = easy ? set_limits(easy) : CURLE_OUT_OF_MEMORY;
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_PRIVATE, context);
    SET(CURLOPT_ERRORBUFFER, transfer->error);
    SET(CURLOPT_HEADERFUNCTION, head);
    SET(CURLOPT_HEADERDATA, context);
    SET(CURLOPT_WRITEFUNCTION, body);
    SET(CURLOPT_WRITEDATA, context);
    if (request->trusted_file) SET(CURLOPT_CAINFO, request->trusted_file);
    if (request->trusted_folder) SET(CURLOPT_CAPATH, request->trusted_folder);
    if (result == CURLE_OK) result = set_connection(transfer, request);
    if (result == CURLE_OK) result = set_body(easy, request, context);
    if (result == CURLE_OK) result = set_headers(transfer, request);
    if (result == CURLE_OK) return transfer;
    ccurl_transfer_free(transfer);
    return NULL;
}
#undef SET

void ccurl_transfer_free(ccurl_transfer *transfer) {
    if (transfer->easy) curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->headers);
    curl_slist_free_all(transfer->addresses);
    free(transfer);
}

CURL *ccurl_transfer_easy(ccurl_transfer *transfer) { return transfer->easy; }

void ccurl_transfer_resume(ccurl_transfer *transfer) { curl_easy_pause(transfer->easy, CURLPAUSE_CONT); }

void ccurl_transfer_reconnect(ccurl_transfer *transfer) {
    curl_easy_setopt(transfer->easy, CURLOPT_FRESH_CONNECT, 1L);
}

int ccurl_transfer_socket(const ccurl_transfer *transfer) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(transfer->easy, CURLINFO_ACTIVESOCKET, &socket);
    return (int)socket;
}

// Bytes that OpenSSL has taken from the socket and nobody has read. The function is looked up in libcurl's own OpenSSL.
static bool has_unread_plaintext(const ccurl_transfer *transfer) {
    struct curl_tlssessioninfo *tls = NULL;
    if (curl_easy_getinfo(transfer->easy, CURLINFO_TLS_SSL_PTR, &tls) != CURLE_OK || !tls || !tls->internals) return false;
    if (tls->backend != CURLSSLBACKEND_OPENSSL) return false;
    int (*pending)(const void *) = (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_has_pending");
    return pending && pending(tls->internals);
}

bool ccurl_transfer_has_unread(const ccurl_transfer *transfer, int socket) {
    char byte;
    if (recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN) return true;
    return has_unread_plaintext(transfer);
}

// MARK: What happened

const char *ccurl_transfer_error(const ccurl_transfer *transfer) { return transfer->error; }

int ccurl_transfer_errno(const ccurl_transfer *transfer) {
    // libcurl does not tell that no descriptor was free.
    if (transfer->socket_error) return transfer->socket_error;
    long number = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &number);
    return (int)number;
}

long ccurl_transfer_proxy_status(const ccurl_transfer *transfer) {
    long status = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &status);
    return status;
}

void *ccurl_message_context(const CURLMsg *message) {
    char *context = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
    return context;
}

CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

// MARK: Waiting

void ccurl_wait(CURLM *multi) { curl_multi_poll(multi, NULL, 0, 3600 * 1000, NULL); }

void ccurl_wake(CURLM *multi) { curl_multi_wakeup(multi); }

void ccurl_block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    // A crash is this thread's own.
    const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
    for (size_t index = 0; index < sizeof faults / sizeof faults[0]; index++) sigdelset(&all, faults[index]);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}
#endif
