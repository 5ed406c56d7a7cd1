#include <lade/lade.h>

#include <stdio.h>

int main(void)
{
    return puts(lade_version_string()) < 0;
}
