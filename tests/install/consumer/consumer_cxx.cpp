#include <lade/lade.h>

#include <cstdio>

int main()
{
    return std::puts(lade_version_string()) < 0;
}
