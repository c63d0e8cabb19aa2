const underway = new Set<string>();

/** Files of plugins whose import has not ended: one that awaits for ever holds up all that follows. */
export const importsUnderway = (): string[] => [...underway];

/** Notes a file until its import has ended, however it does. */
export async function whileImporting<T>(file: string, run: () => Promise<T>): Promise<T> {
  underway.add(file);
  try {
    return await run();
  } finally {
    underway.delete(file);
  }
}
