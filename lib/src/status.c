#include <lade/status.h>

const char *lade_status_string(lade_status status)
{
    static const char *const texts[] = {
#define TEXT(name, text) text,
        LADE_STATUS_LIST(TEXT)
#undef TEXT
    };
    return (unsigned)status < LADE_STATUS_COUNT ? texts[status] : "unknown status";
}

const char *lade_status_name(lade_status status)
{
    static const char *const names[] = {
#define NAME(name, text) #name,
        LADE_STATUS_LIST(NAME)
#undef NAME
    };
    return (unsigned)status < LADE_STATUS_COUNT ? names[status] : "LADE_ERR_?";
}
