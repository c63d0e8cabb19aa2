/** SQLite's result codes that a journal distinguishes. */
export const SQLITE = {
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
  IOERR_READ: 10 | (1 << 8),
  IOERR_FSYNC: 10 | (4 << 8),
  IOERR_DIR_FSYNC: 10 | (5 << 8),
} as const;

/** The primary result code of what SQLite threw; undefined for anything else. */
export function codeOf(thrown: unknown): number | undefined {
  const extended = extendedCodeOf(thrown);
  return extended === undefined ? undefined : extended & 0xff;
}

export function extendedCodeOf(thrown: unknown): number | undefined {
  const { errcode } = (thrown ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}
