// Faults below a library: the calls of the operating system that a program makes go through functions of the same names
// here, which count them and let one of them fail, be cut short, or be the last thing that the process does.
//
// Whoever links this target has them in its program; nothing is preloaded. On other systems than Linux nothing is
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
  FAULTS_STORE = 1 << 15,    // a store to a page that is mapped from a file and shared (x86-64 alone)
};

enum {
  /// The process is killed before the call.
  FAULTS_KILL,
  /// The process is killed when half of the call is done: of a write, that is; before any other.
  FAULTS_KILL_HALFWAY,
  /// The call fails, and does nothing.
  FAULTS_FAIL,
  /// The call reads or writes half of what it was asked for, and says so. Others are not changed.
  FAULTS_SHORTEN,
};

/// What has been seen, in memory that is shared with the processes that were forked.
typedef struct {
  /// Calls of the kinds that are watched.
  long seen;
  /// How many of them were faulty.
  long struck;
  /// The last one that was.
  char name[24];
  /// Calls of FAULTS_SYNC, whether they are watched or not.
  long syncs;
  /// Files that were written and not synced since.
  long unsynced;
} faults_record;

faults_record *faults_shared(void);

/// Whether calls go through these functions: not on other systems than Linux, and not with a sanitizer.
int faults_are_possible(void);

/// Watches calls of some kinds on this thread, from now on. The one with this number, counted from 1, is faulty, and if
/// `onwards` is set all after it too.
void faults_arm(unsigned kinds, long number, int action, int error, int onwards);

/// Ends all faults.
void faults_disarm(void);

/// Between these two, no call is counted, and none is faulty.
void faults_pause(void);
void faults_resume(void);

/// Counts syncs, and files that were written and not synced, of all threads, from now on. Each sync takes so much
/// longer, as it would on a disk.
void faults_count_syncs(unsigned microseconds);

/// `fork`, which Swift does not offer, since it is only safe in a process of a single thread.
pid_t faults_fork(void);

#endif
