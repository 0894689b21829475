// Swift's module of the C library lacks these headers.
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif
