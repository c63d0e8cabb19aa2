/**
 * An import that takes a user's files as they are now. Node caches each module for as long as its thread lives, so a
 * fresh one has another URL, and what it replaces is freed with the thread.
 */
export interface FreshImport {
  /** Another one for each import. */
  version: number;
  /** Receives the absolute path of each file of the user's that is imported, or is missing. */
  onFile(path: string): void;
}
