#include <curl/curl.h>

// Swift cannot call functions with variable arguments. Each of these passes one argument of one type.

static inline CURLcode strata_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode strata_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode strata_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}

// For the functions that receive the fields and the body, and the one that provides a body.
static inline CURLcode strata_curl_set_copier(CURL *handle, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode strata_curl_set_seek(CURL *handle, curl_seek_callback value) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode strata_curl_set_announcement(CURL *handle, curl_prereq_callback value) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLMcode strata_curl_set_limit(CURLM *transfers, CURLMoption option, long value) {
  return curl_multi_setopt(transfers, option, value);
}

// The status of the last response, or 0.
static inline long strata_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
