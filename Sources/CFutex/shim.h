// What Swift cannot call itself: `syscall` is variadic, and a pause of the processor is an instruction. The numbers are
// those of <linux/futex.h>, which not every C library comes with. They are part of the kernel's interface.
#ifdef __linux__
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sleeps as long as `*word == value`, until a wake-up with a common bit in its mask, a signal, or for no reason.
static inline void strata_futex_wait(const void *word, uint32_t value, uint32_t mask) {
  syscall(SYS_futex, word, 9 /* FUTEX_WAIT_BITSET */ | 128 /* FUTEX_PRIVATE_FLAG */, value, (void *)0, (void *)0, mask);
}

// Wakes the thread that has slept longest among those whose masks have a bit in common with this one. Reads no memory.
static inline void strata_futex_wake(const void *word, uint32_t mask) {
  syscall(SYS_futex, word, 10 /* FUTEX_WAKE_BITSET */ | 128 /* FUTEX_PRIVATE_FLAG */, 1, (void *)0, (void *)0, mask);
}

// Tells the processor that the thread spins. On arm64 `yield` does nothing on most processors; `isb` pauses for some
// ten nanoseconds.
static inline void strata_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#else
  __asm__ volatile("" ::: "memory");
#endif
}
#endif
