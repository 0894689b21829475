// libsecret declares the functions that take D-Bus paths only if this is defined.
#define SECRET_API_SUBJECT_TO_CHANGE
#include <libsecret/secret.h>
