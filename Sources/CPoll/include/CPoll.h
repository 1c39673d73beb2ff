// The C interface to epoll, and to kqueue on Apple's systems: which of many sockets have input.
#pragma once

#include <stddef.h>

/// Creates a set of sockets.
/// @return a descriptor, which the caller closes, or -1 with `errno`.
int cpoll_create(void);

/// Adds a socket that does not block. It is reported as long as it has input, its peer has closed it, or it has failed.
/// @return 0, or -1 with `errno`.
int cpoll_add(int set, int socket);

/// Removes a socket. Closing its last descriptor does so too; closing one of several does not.
/// @return 0, or -1 with `errno`.
int cpoll_remove(int set, int socket);

/// Waits until a socket is to be reported.
/// @param ready gets the sockets, each at most once.
/// @param milliseconds the longest wait; -1 for no limit.
/// @return the number of sockets; 0 also after a signal.
int cpoll_wait(int set, int *_Nonnull ready, int capacity, int milliseconds);

/// Accepts a connection, whose socket does not block and is closed in child processes.
/// @param listener a socket that does not block.
/// @param client a `struct sockaddr_storage`, gets the client's address.
/// @return a descriptor, which the caller closes, -1 if no connection waits, or -2 if the system refuses one, for example because the
/// process may open no more files.
int cpoll_accept(int listener, void *_Nonnull client);

/// Reads once. An interrupted call is repeated.
/// @return the number of bytes, 0 if the peer has closed its side, -1 if there is nothing to read, or -2 if the socket failed.
long cpoll_receive(int socket, void *_Nonnull bytes, size_t count);

/// Whether the socket has bytes that were not read yet.
int cpoll_has_input(int socket);

/// Writes once, and never raises SIGPIPE. An interrupted call is repeated.
/// @return the number of bytes that the socket took, which may be 0, or -2 if it failed.
long cpoll_send(int socket, const void *_Nonnull bytes, size_t count);

/// Creates a pipe whose ends do not block and are closed in child processes.
/// @return 0, or -1 with `errno`.
int cpoll_pipe(int *_Nonnull ends);
