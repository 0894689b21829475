#include "wide_hash.h"

#include <string.h>

enum { STRIPE = 64, BLOCK = 1024 };

static const unsigned char key[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

typedef uint64_t lanes_t __attribute__((vector_size(64), aligned(8)));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// Eight numbers, the lowest byte of each first.
ALWAYS_INLINE void load(lanes_t *numbers, const unsigned char *bytes) {
  memcpy(numbers, bytes, sizeof *numbers);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (int i = 0; i < 8; i++) (*numbers)[i] = __builtin_bswap64((*numbers)[i]);
#endif
}

// What stripes add to the lanes are two sums. They are kept apart, so that the processor works on both at a time.
ALWAYS_INLINE void absorb_stripe(
    lanes_t *inputs, lanes_t *products, const unsigned char *bytes, const unsigned char *keys) {
  lanes_t input, keyed;
  load(&input, bytes);
  load(&keyed, keys);
  keyed ^= input;
  // The neighbour gets the input as it is, so that a product with zero loses nothing.
  *inputs += input;
  *products += (keyed & 0xFFFFFFFFu) * (keyed >> 32);
}

ALWAYS_INLINE void add(lanes_t *lanes, const lanes_t *inputs) {
  *lanes += __builtin_shufflevector(*inputs, *inputs, 1, 0, 3, 2, 5, 4, 7, 6);
}

ALWAYS_INLINE void absorb(uint64_t lanes[8], const unsigned char *bytes, size_t blocks) {
  lanes_t sums, last;
  memcpy(&sums, lanes, sizeof sums);
  load(&last, key + sizeof key - STRIPE);
  for (; blocks > 0; blocks--) {
    lanes_t inputs = {0};
#pragma clang loop unroll(full)
    for (int stripe = 0; stripe < BLOCK / STRIPE; stripe++, bytes += STRIPE)
      absorb_stripe(&inputs, &sums, bytes, key + 8 * stripe);
    add(&sums, &inputs);
    sums = (sums ^ (sums >> 47) ^ last) * 0x9E3779B1u;
  }
  memcpy(lanes, &sums, sizeof sums);
}

#if defined(__x86_64__)
// All processors of this kind work on 128 bits at a time, nearly all on 256, many on 512.
#define ABSORB_WITH(name, features)                                                                     \
  __attribute__((target(features))) static void name(                                                   \
      uint64_t lanes[8], const unsigned char *bytes, size_t blocks) {                                   \
    absorb(lanes, bytes, blocks);                                                                       \
  }
ABSORB_WITH(absorb_by_256, "avx2")
ABSORB_WITH(absorb_by_512, "avx512f,avx512dq")
#endif

void strata_wide_hash_begin(uint64_t lanes[8]) {
  static const uint64_t first[8] = {
    0xC2B2AE3D, 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
    0x85EBCA77C2B2AE63, 0x85EBCA77, 0x27D4EB2F165667C5, 0x9E3779B1,
  };
  memcpy(lanes, first, sizeof first);
}

void strata_wide_hash_absorb(uint64_t lanes[8], const void *bytes, size_t blocks) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return absorb_by_512(lanes, bytes, blocks);
  if (__builtin_cpu_supports("avx2")) return absorb_by_256(lanes, bytes, blocks);
#endif
  absorb(lanes, bytes, blocks);
}

static uint64_t folded(uint64_t lane, uint64_t other, const unsigned char *keys) {
  lanes_t numbers;
  load(&numbers, keys);
  unsigned __int128 product = (unsigned __int128)(lane ^ numbers[0]) * (other ^ numbers[1]);
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t strata_wide_hash_finish(uint64_t lanes[8], const void *input, size_t length, size_t offset) {
  const unsigned char *bytes = input, *keys = key;
  lanes_t inputs = {0}, sums;
  memcpy(&sums, lanes, sizeof sums);
  for (; offset + STRIPE < length; offset += STRIPE, keys += 8) absorb_stripe(&inputs, &sums, bytes + offset, keys);
  // The last stripe may have bytes in common with the one before.
  absorb_stripe(&inputs, &sums, bytes + length - STRIPE, key + sizeof key - STRIPE - 7);
  add(&sums, &inputs);
  uint64_t hash = length * 0x9E3779B185EBCA87;
  for (int i = 0; i < 4; i++) hash += folded(sums[2 * i], sums[2 * i + 1], key + 11 + 16 * i);
  hash = (hash ^ (hash >> 37)) * 0x165667919E3779F9;
  return hash ^ (hash >> 32);
}
