// Fault injection below a library. The system calls of a program go through functions of the same names here. They
// count the calls, and let one of them fail, be cut short, or kill the process.
//
// A program gets these functions by linking this target; nothing is preloaded. On systems other than Linux nothing is
// replaced.

#ifndef STRATA_FAULTS_H
#define STRATA_FAULTS_H

#include <sys/types.h>

/// Kinds of calls, as bits of a set.
enum {
  FAULTS_OPEN = 1 << 0,      // open, opendir
  FAULTS_READ = 1 << 1,      // read, pread, preadv
  FAULTS_WRITE = 1 << 2,     // write, pwrite, writev
  FAULTS_TRUNCATE = 1 << 3,  // ftruncate, posix_fallocate
  FAULTS_SYNC = 1 << 4,      // fsync, fdatasync
  FAULTS_RENAME = 1 << 5,
  FAULTS_UNLINK = 1 << 6,
  FAULTS_MKDIR = 1 << 7,
  FAULTS_LINK = 1 << 8,
  FAULTS_MAP = 1 << 9,       // mmap
  FAULTS_LIST = 1 << 10,     // readdir
  FAULTS_STATUS = 1 << 11,   // stat, lstat, fstat
  FAULTS_LOCK = 1 << 12,     // flock, fcntl for locks
  FAULTS_DUPLICATE = 1 << 13,  // fcntl for anything else
  FAULTS_CLOSE = 1 << 14,
  FAULTS_STORE = 1 << 15,    // a store to a page that is mapped from a file and shared (x86-64 only)
};

enum {
  /// The process is killed before the call.
  FAULTS_KILL,
  /// The process is killed when half of a write is done; at any other call, before it.
  FAULTS_KILL_HALFWAY,
  /// The call fails and has no effect.
  FAULTS_FAIL,
  /// The call reads or writes half of the requested bytes, and returns that count. Other calls are not changed.
  FAULTS_SHORTEN,
};

/// The counts, in memory that forked processes share.
typedef struct {
  /// The number of calls of the watched kinds.
  long seen;
  /// The number of faulty calls.
  long struck;
  /// The name of the last faulty call.
  char name[24];
  /// The number of calls of FAULTS_SYNC, watched or not.
  long syncs;
  /// The number of files that have been written and not synced since.
  long unsynced;
} faults_record;

faults_record *faults_shared(void);

/// Returns whether calls go through these functions: only on Linux, and not with a sanitizer.
int faults_are_possible(void);

/// Makes `faults_arm` watch all threads. Calls of different threads then have no fixed numbers.
void faults_watch_all_threads(void);

/// Starts watching calls of some kinds on this thread. The call with this number, counted from 1, is faulty; with
/// `onwards`, so are all later ones.
void faults_arm(unsigned kinds, long number, int action, int error, int onwards);

/// Ends all faults.
void faults_disarm(void);

/// Between these two calls, no call is counted or faulty.
void faults_pause(void);
void faults_resume(void);

/// Starts counting syncs and unsynced files, on all threads. Each sync is delayed, as on a disk.
void faults_count_syncs(unsigned microseconds);

/// Calls `fork`, which Swift does not offer, since it is safe only in a process with a single thread.
pid_t faults_fork(void);

#endif
