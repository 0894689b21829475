#define _GNU_SOURCE
#include "faults.h"

#include <unistd.h>

pid_t faults_fork(void) { return fork(); }

// The sanitizers define functions of these names themselves.
#if defined(__linux__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

int faults_are_possible(void) { return 1; }

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <ucontext.h>

static struct {
  unsigned kinds;
  long number;
  int action;
  int error;
  int onwards;
} plan;

// Only the thread that armed is watched, since the runtime makes calls of its own on other threads. After
// `faults_watch_all_threads`, all are.
static __thread int is_armed;
static int are_all_watched;
static volatile int is_any_armed;

static int is_watched(void) { return is_armed || (are_all_watched && is_any_armed); }

faults_record *faults_shared(void) {
  static faults_record *record;
  if (!record) {
    void *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
    record = memory;
  }
  return record;
}

// Declares `real`, the function that would be called without this file.
#define REAL(name)                                                     \
  static typeof(&name) real;                                           \
  if (!real) {                                                         \
    real = (typeof(&name))dlsym(RTLD_NEXT, #name);                     \
    if (!real) abort();                                                \
  }

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Counts a call. Returns whether it is faulty. If the process is to die before the call, it dies here.
static int strikes(unsigned kind, const char *name) {
  if (!is_watched() || !(plan.kinds & kind)) return 0;
  faults_record *record = faults_shared();
  long number = __sync_add_and_fetch(&record->seen, 1);
  if (number != plan.number && !(plan.onwards && number > plan.number)) return 0;
  record->struck++;
  strncpy(record->name, name, sizeof record->name - 1);
  int halves = kind == FAULTS_WRITE;
  if (plan.action == FAULTS_KILL || (plan.action == FAULTS_KILL_HALFWAY && !halves)) die();
  return 1;
}

// For calls that cannot be cut short.
#define FAIL_IF_STRUCK(kind, name, failure)                              \
  if (strikes(kind, name) && plan.action == FAULTS_FAIL) {               \
    errno = plan.error;                                                  \
    return failure;                                                      \
  }

// ---- Stores to shared pages: the page is read-only, so that a store raises a signal. ----

#if defined(__x86_64__)
enum { PAGES = 64, PAGE = 4096, SINGLE_STEP = 0x100 };
static char *pages[PAGES];
static char *being_stored;

static char *page_at(void *address) {
  for (int i = 0; i < PAGES; i++)
    if (pages[i] && (char *)address >= pages[i] && (char *)address < pages[i] + PAGE) return pages[i];
  return 0;
}

static void on_store(int number, siginfo_t *info, void *context) {
  char *page = page_at(info->si_addr);
  if (!page) {
    signal(number, SIG_DFL);
    return;
  }
  strikes(FAULTS_STORE, "store");
  mprotect(page, PAGE, PROT_READ | PROT_WRITE);
  being_stored = page;
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= SINGLE_STEP;
}

static void after_store(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  if (being_stored) mprotect(being_stored, PAGE, PROT_READ);
  being_stored = 0;
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)SINGLE_STEP;
}

static void watch_page(void *address) {
  for (int i = 0; i < PAGES; i++) {
    if (pages[i]) continue;
    pages[i] = address;
    mprotect(address, PAGE, PROT_READ);
    return;
  }
}

static void forget_page(void *address) {
  for (int i = 0; i < PAGES; i++)
    if (pages[i] == address) pages[i] = 0;
}

static void watch_stores(void) {
  struct sigaction store = {.sa_sigaction = on_store, .sa_flags = SA_SIGINFO};
  struct sigaction step = {.sa_sigaction = after_store, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &store, 0);
  sigaction(SIGTRAP, &step, 0);
}

static void ignore_stores(void) {
  for (int i = 0; i < PAGES; i++) {
    if (pages[i]) mprotect(pages[i], PAGE, PROT_READ | PROT_WRITE);
    pages[i] = 0;
  }
}
#else
static void watch_page(void *address) { (void)address; }
static void forget_page(void *address) { (void)address; }
static void watch_stores(void) {}
static void ignore_stores(void) {}
#endif

void faults_arm(unsigned kinds, long number, int action, int error, int onwards) {
  faults_record *record = faults_shared();
  record->seen = 0;
  record->struck = 0;
  record->name[0] = 0;
  plan.kinds = kinds;
  plan.number = number;
  plan.action = action;
  plan.error = error;
  plan.onwards = onwards;
  if (kinds & FAULTS_STORE) watch_stores();
  faults_resume();
}

void faults_disarm(void) {
  faults_pause();
  ignore_stores();
}

void faults_pause(void) { is_armed = is_any_armed = 0; }
void faults_resume(void) { is_armed = is_any_armed = 1; }

void faults_watch_all_threads(void) { are_all_watched = 1; }

// ---- Files that have been written and not synced since. ----

enum { FILES = 4096 };
static struct {
  pthread_mutex_t lock;
  int counts;
  unsigned microseconds;
  char dirty[FILES];
} writes = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void note_write(int file, int is_dirty) {
  if (!writes.counts || file < 0 || file >= FILES) return;
  pthread_mutex_lock(&writes.lock);
  faults_shared()->unsynced += is_dirty - writes.dirty[file];
  writes.dirty[file] = (char)is_dirty;
  pthread_mutex_unlock(&writes.lock);
}

static void note_sync(int file) {
  if (!writes.counts) return;
  if (writes.microseconds) usleep(writes.microseconds);
  note_write(file, 0);
  __sync_fetch_and_add(&faults_shared()->syncs, 1);
}

void faults_count_syncs(unsigned microseconds) {
  faults_record *record = faults_shared();
  memset(writes.dirty, 0, sizeof writes.dirty);
  record->syncs = record->unsynced = 0;
  writes.microseconds = microseconds;
  writes.counts = 1;
}

// ---- The calls. ----

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  REAL(open)
  FAIL_IF_STRUCK(FAULTS_OPEN, "open", -1)
  return real(path, flags, mode);
}

DIR *opendir(const char *path) {
  REAL(opendir)
  FAIL_IF_STRUCK(FAULTS_OPEN, "opendir", 0)
  return real(path);
}

struct dirent *readdir(DIR *folder) {
  REAL(readdir)
  FAIL_IF_STRUCK(FAULTS_LIST, "readdir", 0)
  return real(folder);
}

int close(int file) {
  REAL(close)
  if (strikes(FAULTS_CLOSE, "close") && plan.action == FAULTS_FAIL) {
    real(file);
    errno = plan.error;
    return -1;
  }
  // The file stays unsynced, but its descriptor may be reused.
  if (writes.counts && file >= 0 && file < FILES) writes.dirty[file] = 0;
  return real(file);
}

ssize_t pread(int file, void *buffer, size_t count, off_t offset) {
  REAL(pread)
  if (strikes(FAULTS_READ, "pread")) {
    if (plan.action == FAULTS_SHORTEN) return real(file, buffer, (count + 1) / 2, offset);
    errno = plan.error;
    return -1;
  }
  return real(file, buffer, count, offset);
}

ssize_t pread64(int file, void *buffer, size_t count, off_t offset) { return pread(file, buffer, count, offset); }

ssize_t preadv(int file, const struct iovec *vectors, int count, off_t offset) {
  REAL(preadv)
  if (strikes(FAULTS_READ, "preadv")) {
    if (plan.action == FAULTS_SHORTEN) {
      struct iovec half = {vectors[0].iov_base, (vectors[0].iov_len + 1) / 2};
      return real(file, &half, 1, offset);
    }
    errno = plan.error;
    return -1;
  }
  return real(file, vectors, count, offset);
}

ssize_t preadv64(int file, const struct iovec *vectors, int count, off_t offset) {
  return preadv(file, vectors, count, offset);
}

ssize_t pwrite(int file, const void *buffer, size_t count, off_t offset) {
  REAL(pwrite)
  note_write(file, 1);
  if (strikes(FAULTS_WRITE, "pwrite")) {
    if (plan.action == FAULTS_FAIL) {
      errno = plan.error;
      return -1;
    }
    ssize_t written = real(file, buffer, (count + 1) / 2, offset);
    if (plan.action == FAULTS_KILL_HALFWAY) die();
    return written;
  }
  return real(file, buffer, count, offset);
}

ssize_t pwrite64(int file, const void *buffer, size_t count, off_t offset) {
  return pwrite(file, buffer, count, offset);
}

ssize_t writev(int file, const struct iovec *vectors, int count) {
  REAL(writev)
  note_write(file, 1);
  if (strikes(FAULTS_WRITE, "writev")) {
    if (plan.action == FAULTS_FAIL) {
      errno = plan.error;
      return -1;
    }
    const struct iovec *long_one = count > 1 && vectors[1].iov_len > vectors[0].iov_len ? vectors + 1 : vectors;
    // All of the first vector and half of the second, or half of the first alone.
    struct iovec halves[2] = {vectors[0], {0, 0}};
    int used = 1;
    if (long_one == vectors) {
      halves[0].iov_len = (halves[0].iov_len + 1) / 2;
    } else {
      halves[1].iov_base = vectors[1].iov_base;
      halves[1].iov_len = (vectors[1].iov_len + 1) / 2;
      used = 2;
    }
    ssize_t written = real(file, halves, used);
    if (plan.action == FAULTS_KILL_HALFWAY) die();
    return written;
  }
  return real(file, vectors, count);
}

int ftruncate(int file, off_t length) {
  REAL(ftruncate)
  note_write(file, 1);
  FAIL_IF_STRUCK(FAULTS_TRUNCATE, "ftruncate", -1)
  return real(file, length);
}

int ftruncate64(int file, off_t length) { return ftruncate(file, length); }

int posix_fallocate(int file, off_t offset, off_t length) {
  REAL(posix_fallocate)
  FAIL_IF_STRUCK(FAULTS_TRUNCATE, "posix_fallocate", plan.error)
  return real(file, offset, length);
}

int posix_fallocate64(int file, off_t offset, off_t length) { return posix_fallocate(file, offset, length); }

int fsync(int file) {
  REAL(fsync)
  FAIL_IF_STRUCK(FAULTS_SYNC, "fsync", -1)
  note_sync(file);
  return real(file);
}

int fdatasync(int file) {
  REAL(fdatasync)
  FAIL_IF_STRUCK(FAULTS_SYNC, "fdatasync", -1)
  note_sync(file);
  return real(file);
}

int rename(const char *from, const char *to) {
  REAL(rename)
  FAIL_IF_STRUCK(FAULTS_RENAME, "rename", -1)
  return real(from, to);
}

int unlink(const char *path) {
  REAL(unlink)
  FAIL_IF_STRUCK(FAULTS_UNLINK, "unlink", -1)
  return real(path);
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir)
  FAIL_IF_STRUCK(FAULTS_MKDIR, "mkdir", -1)
  return real(path, mode);
}

int link(const char *path, const char *name) {
  REAL(link)
  FAIL_IF_STRUCK(FAULTS_LINK, "link", -1)
  return real(path, name);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  REAL(mmap)
  FAIL_IF_STRUCK(FAULTS_MAP, "mmap", MAP_FAILED)
  void *memory = real(address, length, protection, flags, file, offset);
  if (is_watched() && plan.kinds & FAULTS_STORE && memory != MAP_FAILED && flags & MAP_SHARED && file >= 0
    && length == 4096)
    watch_page(memory);
  return memory;
}

int munmap(void *address, size_t length) {
  REAL(munmap)
  forget_page(address);
  return real(address, length);
}

int stat(const char *path, struct stat *status) {
  REAL(stat)
  FAIL_IF_STRUCK(FAULTS_STATUS, "stat", -1)
  return real(path, status);
}

int lstat(const char *path, struct stat *status) {
  REAL(lstat)
  FAIL_IF_STRUCK(FAULTS_STATUS, "lstat", -1)
  return real(path, status);
}

int fstat(int file, struct stat *status) {
  REAL(fstat)
  FAIL_IF_STRUCK(FAULTS_STATUS, "fstat", -1)
  return real(file, status);
}

int flock(int file, int operation) {
  REAL(flock)
  // Releasing a lock needs no resources and cannot fail.
  if (operation != LOCK_UN || plan.error == EINTR) FAIL_IF_STRUCK(FAULTS_LOCK, "flock", -1)
  return real(file, operation);
}

int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  REAL(fcntl)
  int locks = command == F_OFD_SETLK || command == F_OFD_GETLK;
  FAIL_IF_STRUCK(locks ? FAULTS_LOCK : FAULTS_DUPLICATE, "fcntl", -1)
  int result = real(file, command, argument);
  return result;
}

int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return fcntl(file, command, argument);
}

#else

int faults_are_possible(void) { return 0; }

static faults_record record;
faults_record *faults_shared(void) { return &record; }
void faults_arm(unsigned kinds, long number, int action, int error, int onwards) {
  (void)kinds, (void)number, (void)action, (void)error, (void)onwards;
}
void faults_disarm(void) {}
void faults_pause(void) {}
void faults_resume(void) {}
void faults_watch_all_threads(void) {}
void faults_count_syncs(unsigned microseconds) { (void)microseconds; }

#endif
