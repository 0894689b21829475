#include <zstd.h>
#include <zstd_errors.h>
#include <zdict.h>
