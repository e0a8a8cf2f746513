#pragma once
/* See failing_writes.c. */

#ifdef __cplusplus
extern "C" {
#endif
void plumbline_fail_writes(long n, int error, int always, const char* path);
void plumbline_at_write(long n, void (*call)(void), const char* path);
long plumbline_counted_writes(void);
#ifdef __cplusplus
}
#endif
