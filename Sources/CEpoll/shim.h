// Swift's module of the C library lacks these headers, and `ppoll`, which <poll.h> declares only for GNU programs.
#ifdef __linux__
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
int ppoll(struct pollfd *sockets, nfds_t count, const struct timespec *timeout, const sigset_t *signals);
#endif
