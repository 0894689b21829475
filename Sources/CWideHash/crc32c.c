#include "crc32c.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

// For processors without the instruction.
static uint32_t by_bits(uint32_t state, const unsigned char *bytes, size_t count) {
  for (; count > 0; count--, bytes++) {
    state ^= *bytes;
    for (int bit = 0; bit < 8; bit++) state = (state >> 1) ^ (0x82F63B78u & (0u - (state & 1)));
  }
  return state;
}

#if defined(__x86_64__)
#define FEATURE "sse4.2"
#define OF_WORD(state, word) (uint32_t)__builtin_ia32_crc32di(state, word)
#define OF_BYTE(state, byte) __builtin_ia32_crc32qi(state, byte)
#define IS_SUPPORTED __builtin_cpu_supports("sse4.2")
#elif defined(__aarch64__)
#define FEATURE "crc"
#define OF_WORD(state, word) __builtin_arm_crc32cd(state, word)
#define OF_BYTE(state, byte) __builtin_arm_crc32cb(state, byte)
#if defined(__linux__)
#define IS_SUPPORTED (getauxval(AT_HWCAP) & (1 << 7))
#else
#define IS_SUPPORTED 1
#endif
#endif

#if defined(FEATURE)
__attribute__((target(FEATURE)))
static uint32_t by_instruction(uint32_t state, const unsigned char *bytes, size_t count) {
  for (; count >= 8; count -= 8, bytes += 8) {
    uint64_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    state = OF_WORD(state, word);
  }
  for (; count > 0; count--, bytes++) state = OF_BYTE(state, *bytes);
  return state;
}
#endif

uint32_t strata_crc32c(uint32_t checksum, const void *bytes, size_t count) {
#if defined(FEATURE)
  if (IS_SUPPORTED) return ~by_instruction(~checksum, bytes, count);
#endif
  return ~by_bits(~checksum, bytes, count);
}
