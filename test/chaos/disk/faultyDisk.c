/*
 * A disk that fails, for LD_PRELOAD: what a process writes below one folder reaches "the platter" only with a
 * sync, and the power may be cut at any call. Then each change since the last sync of its file, and each new, renamed
 * or removed name since the last sync of the folder, is there or is not, in sectors and in any order, as POSIX
 * allows.
 *
 * FAULTY_DISK_FOLDER  the folder; files of shared memory and locks in it (-shm, .lock) are left alone
 * FAULTY_DISK_ASIDE   another folder of the same file system, for removed files that may come back
 * FAULTY_DISK_FAULT   cut N | error N | full N | short N, in the Nth call that changes something, or sync N, the
 *                     Nth sync; none without it
 * FAULTY_DISK_SEED    decides what of the changes is there after a cut
 *
 * `error`, `sync`: the call fails with EIO; after a failed sync of a file its changes are visible and never durable,
 * and the next sync succeeds, as on Linux; those of a folder wait for the next one. `full`: this call and the next two fail with ENOSPC. `short`: half is written.
 * A file that is opened by the name `cut-now` cuts the power; one by the name `count` gets the number of calls, and of syncs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define PATH 512
#define FILES 4096
#define SECTOR 512

enum kind { CONTENT, CREATED, RENAMED, REMOVED };

struct change {
  struct change *before, *after;
  enum kind kind;
  int is_lost; /* a sync of it failed: visible, and never durable */
  char path[PATH], other[PATH];
  off_t at, size_before, size_after;
  size_t length; /* bytes from `at` that differ, of `olds` and `news`: beyond the end they are 0 */
  unsigned char *olds, *news;
};

static struct change *first, *last;
static char *names[FILES];
static char folder[PATH], aside[PATH], fault[16];
static long calls, syncs, fault_at, aside_count;
static uint64_t random_state;
static int is_ready, is_cut;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(name, type, ...) \
  static type (*real)(__VA_ARGS__); \
  if (real == NULL) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int real_open(const char *path, int flags, mode_t mode) {
  REAL("open64", int, const char *, int, ...);
  return real(path, flags, mode);
}
static int real_close(int file) { REAL("close", int, int); return real(file); }
static ssize_t real_pread(int file, void *bytes, size_t size, off_t at) {
  REAL("pread64", ssize_t, int, void *, size_t, off_t);
  return real(file, bytes, size, at);
}
static ssize_t real_pwrite(int file, const void *bytes, size_t size, off_t at) {
  REAL("pwrite64", ssize_t, int, const void *, size_t, off_t);
  return real(file, bytes, size, at);
}
static int real_truncate(int file, off_t size) {
  REAL("ftruncate64", int, int, off_t);
  return real(file, size);
}
static int real_rename(const char *from, const char *to) {
  REAL("rename", int, const char *, const char *);
  return real(from, to);
}
static int real_unlink(const char *path) { REAL("unlink", int, const char *); return real(path); }

static void prepare(void) {
  if (is_ready) return;
  is_ready = 1;
  const char *given = getenv("FAULTY_DISK_FOLDER"), *put = getenv("FAULTY_DISK_ASIDE");
  if (given != NULL) snprintf(folder, PATH, "%s/", given);
  if (put != NULL) snprintf(aside, PATH, "%s", put);
  const char *what = getenv("FAULTY_DISK_FAULT"), *seed = getenv("FAULTY_DISK_SEED");
  if (what != NULL) sscanf(what, "%15s %ld", fault, &fault_at);
  random_state = 0x9e3779b97f4a7c15u ^ (seed == NULL ? 0 : strtoull(seed, NULL, 10) * 0xbf58476d1ce4e5b9u);
}

/* xorshift64*: from 0 to below 1 */
static double draw(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (double)((random_state * 0x2545f4914f6cdd1du) >> 11) / 9007199254740992.0;
}

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), size = strlen(end);
  return length >= size && strcmp(text + length - size, end) == 0;
}

static int is_ours(const char *path) {
  prepare();
  if (folder[0] == 0 || path == NULL || strncmp(path, folder, strlen(folder)) != 0) return 0;
  return !ends_with(path, "-shm") && strstr(path, ".lock") == NULL;
}

static const char *name_of(int file) {
  return file >= 0 && file < FILES ? names[file] : NULL;
}

static off_t size_of(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 ? about.st_size : -1;
}

static struct change *remember(enum kind kind, const char *path) {
  struct change *made = calloc(1, sizeof *made);
  made->kind = kind;
  snprintf(made->path, PATH, "%s", path);
  made->before = last;
  if (last == NULL) first = made;
  else last->after = made;
  return last = made;
}

/* Also for what was put aside: a name for it there. */
static struct change *remember_name(enum kind kind, const char *path) {
  struct change *made = remember(kind, path);
  snprintf(made->other, PATH, "%.480s/%ld", aside, aside_count++);
  return made;
}

static void forget(struct change *one) {
  if (one->before == NULL) first = one->after;
  else one->before->after = one->after;
  if (one->after == NULL) last = one->before;
  else one->after->before = one->before;
  free(one->olds);
  free(one->news);
  free(one);
}

/* What was lost before it in the same place is not what a cut goes back to any more. */
static void settle(const struct change *one) {
  for (struct change *lost = first; lost != one; lost = lost->after) {
    if (!lost->is_lost || lost->kind != CONTENT || strcmp(lost->path, one->path) != 0) continue;
    lost->size_before = one->size_after;
    for (size_t from = 0; from < one->length; from++) {
      off_t at = one->at + (off_t)from - lost->at;
      if (at >= 0 && at < (off_t)lost->length) lost->olds[at] = one->news[from];
    }
  }
}

/* Puts bytes of a change into its file; `is_whole`: all of them, and as long as it was. */
static void apply(const struct change *one, const unsigned char *bytes, off_t size, int is_whole) {
  int file = real_open(one->path, O_RDWR | O_CLOEXEC, 0);
  if (file < 0) return;
  struct stat about;
  int is_longer = fstat(file, &about) == 0 && about.st_size < size;
  if (is_longer && (is_whole || draw() < 0.5)) real_truncate(file, size);
  for (size_t from = 0; from < one->length; from += SECTOR) {
    size_t some = one->length - from < SECTOR ? one->length - from : SECTOR;
    off_t at = one->at + (off_t)from;
    if (at >= size) break;
    if (at + (off_t)some > size) some = (size_t)(size - at);
    if (is_whole || draw() < 0.5) real_pwrite(file, bytes + from, some, at);
  }
  if (is_whole && (bytes == one->olds || size < one->size_before)) real_truncate(file, size);
  real_close(file);
}

static void undo(const struct change *one) {
  switch (one->kind) {
    case CONTENT: apply(one, one->olds, one->size_before, 1); break;
    case CREATED: real_rename(one->path, one->other); break;
    case RENAMED: real_rename(one->other, one->path); break;
    case REMOVED: real_rename(one->other, one->path); break;
  }
}

static void redo(const struct change *one) {
  switch (one->kind) {
    case CONTENT: {
      double chance = draw();
      if (chance < 0.7) apply(one, one->news, one->size_after, chance < 0.4);
      break;
    }
    case CREATED: if (draw() < 0.5) real_rename(one->other, one->path); break;
    case RENAMED: if (draw() < 0.5) real_rename(one->path, one->other); break;
    case REMOVED: if (draw() < 0.5) real_unlink(one->path); break;
  }
}

static void cut(void) {
  is_cut = 1;
  for (struct change *one = last; one != NULL; one = one->before) undo(one);
  /* Nothing at all, everything, or some of it. */
  double chance = draw();
  for (struct change *one = first; chance >= 0.1 && one != NULL; one = one->after)
    if (!one->is_lost) redo(one);
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* Whether this call is to fail, and how; cuts the power if that is due. */
static const char *next_call(void) {
  calls++;
  if (fault[0] == 0 || strcmp(fault, "sync") == 0 || calls < fault_at) return NULL;
  if (strcmp(fault, "full") == 0) return calls < fault_at + 3 ? "full" : NULL;
  if (calls > fault_at) return NULL;
  if (strcmp(fault, "cut") == 0) cut();
  return fault;
}

static void change_content(const char *path, off_t at, const void *bytes, size_t length, off_t size_after) {
  off_t size = size_of(path);
  struct change *made = remember(CONTENT, path);
  made->at = at;
  made->size_before = size;
  made->size_after = size_after < 0 ? (at + (off_t)length > size ? at + (off_t)length : size) : size_after;
  made->length = length;
  made->olds = calloc(1, length + 1);
  made->news = calloc(1, length + 1);
  if (bytes != NULL) memcpy(made->news, bytes, length);
  int file = real_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return;
  real_pread(file, made->olds, length, at);
  real_close(file);
}

static ssize_t write_at(int file, const void *bytes, size_t size, off_t at) {
  const char *path = name_of(file);
  const char *how = next_call();
  if (how != NULL && strcmp(how, "full") == 0) return errno = ENOSPC, -1;
  if (how != NULL && strcmp(how, "error") == 0) return errno = EIO, -1;
  if (how != NULL && strcmp(how, "short") == 0 && size > 1) size /= 2;
  change_content(path, at, bytes, size, -1);
  return real_pwrite(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t at) {
  if (name_of(file) == NULL || is_cut) return real_pwrite(file, bytes, size, at);
  pthread_mutex_lock(&lock);
  ssize_t done = write_at(file, bytes, size, at);
  pthread_mutex_unlock(&lock);
  return done;
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) { return pwrite64(file, bytes, size, at); }

ssize_t write(int file, const void *bytes, size_t size) {
  REAL("write", ssize_t, int, const void *, size_t);
  if (name_of(file) == NULL || is_cut) return real(file, bytes, size);
  pthread_mutex_lock(&lock);
  off_t at = lseek(file, 0, SEEK_CUR);
  if ((fcntl(file, F_GETFL) & O_APPEND) != 0) at = size_of(name_of(file));
  ssize_t done = write_at(file, bytes, size, at);
  if (done > 0) lseek(file, at + done, SEEK_SET);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL("writev", ssize_t, int, const struct iovec *, int);
  if (name_of(file) == NULL || is_cut) return real(file, parts, count);
  ssize_t all = 0;
  for (int part = 0; part < count; part++) {
    ssize_t done = write(file, parts[part].iov_base, parts[part].iov_len);
    if (done < 0) return all > 0 ? all : -1;
    all += done;
    if ((size_t)done < parts[part].iov_len) break;
  }
  return all;
}

int ftruncate64(int file, off_t size) {
  const char *path = name_of(file);
  if (path == NULL || is_cut) return real_truncate(file, size);
  pthread_mutex_lock(&lock);
  int done = -1;
  const char *how = next_call();
  if (how != NULL && strcmp(how, "short") != 0) errno = EIO;
  else {
    off_t before = size_of(path);
    change_content(path, size, NULL, before > size ? (size_t)(before - size) : 0, size);
    done = real_truncate(file, size);
  }
  pthread_mutex_unlock(&lock);
  return done;
}
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

static int is_folder(const char *path) {
  size_t length = strlen(path);
  return strncmp(folder, path, length) == 0 && strlen(folder) - length <= 1;
}

static int sync_file(int file, int (*real)(int)) {
  const char *path = name_of(file);
  if (path == NULL || is_cut) return real(file);
  pthread_mutex_lock(&lock);
  const char *how = next_call();
  int is_failing = how != NULL && strcmp(how, "error") == 0;
  if (++syncs == fault_at && strcmp(fault, "sync") == 0) is_failing = 1;
  for (struct change *one = first, *then; one != NULL; one = then) {
    then = one->after;
    int is_of_it = is_folder(path) ? one->kind != CONTENT : one->kind == CONTENT && strcmp(one->path, path) == 0;
    if (!is_of_it || one->is_lost) continue;
    if (is_failing) {
      one->is_lost = one->kind == CONTENT;
      continue;
    }
    if (one->kind == REMOVED) real_unlink(one->other);
    if (one->kind == CONTENT) settle(one);
    forget(one);
  }
  pthread_mutex_unlock(&lock);
  return is_failing ? (errno = EIO, -1) : real(file);
}
int fsync(int file) { REAL("fsync", int, int); return sync_file(file, real); }
int fdatasync(int file) { REAL("fdatasync", int, int); return sync_file(file, real); }

static int open_any(const char *path, int flags, mode_t mode) {
  prepare();
  const char *base = strrchr(path, '/');
  if (base != NULL && is_ours(path)) {
    if (strcmp(base, "/cut-now") == 0) cut();
    if (strcmp(base, "/count") == 0) {
      int file = real_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      dprintf(file, "%ld %ld", calls, syncs);
      return file;
    }
  }
  int is_watched = is_ours(path) || (folder[0] != 0 && is_folder(path) && strlen(path) > 1);
  if (!is_watched || is_cut) return real_open(path, flags, mode);
  pthread_mutex_lock(&lock);
  off_t before = size_of(path);
  int file = -1;
  const char *how = before < 0 && (flags & O_CREAT) != 0 ? next_call() : NULL;
  if (how != NULL && strcmp(how, "short") != 0) errno = strcmp(how, "full") == 0 ? ENOSPC : EIO;
  else {
    if (before > 0 && (flags & O_TRUNC) != 0) change_content(path, 0, NULL, (size_t)before, 0);
    file = real_open(path, flags, mode);
    if (file >= 0 && file < FILES) {
      if (before < 0) remember_name(CREATED, path);
      free(names[file]);
      names[file] = strdup(path);
    }
  }
  pthread_mutex_unlock(&lock);
  return file;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    return open_any(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  if (name_of(file) != NULL) {
    free(names[file]);
    names[file] = NULL;
  }
  return real_close(file);
}

static int put_aside(const char *path) {
  return real_rename(path, remember_name(REMOVED, path)->other);
}

int rename(const char *from, const char *to) {
  if (!is_ours(from) || is_cut) return real_rename(from, to);
  pthread_mutex_lock(&lock);
  int done = -1;
  const char *how = next_call();
  if (how != NULL && strcmp(how, "short") != 0) errno = EIO;
  else {
    if (size_of(to) >= 0) put_aside(to);
    done = real_rename(from, to);
    if (done == 0) snprintf(remember(RENAMED, from)->other, PATH, "%s", to);
  }
  pthread_mutex_unlock(&lock);
  return done;
}

int unlink(const char *path) {
  if (!is_ours(path) || is_cut || size_of(path) < 0) return real_unlink(path);
  pthread_mutex_lock(&lock);
  int done = -1;
  const char *how = next_call();
  if (how != NULL && strcmp(how, "short") != 0) errno = EIO;
  else {
    done = put_aside(path);
  }
  pthread_mutex_unlock(&lock);
  return done;
}
