// Swift's module of the C library leaves these out.
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif
