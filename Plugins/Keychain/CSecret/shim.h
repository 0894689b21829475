// The functions that take the paths of the bus are declared only for who says that he knows what he does.
#define SECRET_API_SUBJECT_TO_CHANGE
#include <libsecret/secret.h>
