/* envaudit: entry point. */
#include <stdio.h>

int main(void)
{
	return 2;
}
