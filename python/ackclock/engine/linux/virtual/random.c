/* Random numbers by a seed, in place of the host's, for a kernel whose runs repeat: SplitMix64
 * (Steele, Lea, Flood, OOPSLA 2014). A user-mode Linux asks its C library for them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static uint64_t state;
static int seeded;

ssize_t getrandom(void *buffer, size_t length, unsigned int flags)
{
	(void)flags;
	if (!seeded) {
		const char *seed = getenv("ACKCLOCK_SEED");
		state = seed ? strtoull(seed, NULL, 10) : 0;
		seeded = 1;
	}
	for (size_t done = 0; done < length; done += sizeof(uint64_t)) {
		uint64_t word = state += 0x9e3779b97f4a7c15;
		size_t left = length - done;
		word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
		word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
		word ^= word >> 31;
		memcpy((char *)buffer + done, &word, left < sizeof(word) ? left : sizeof(word));
	}
	return (ssize_t)length;
}
