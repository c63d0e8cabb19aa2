/**
 * The last requests of a check, for the report of a difference. Bodies are shown; it never sees secrets.
 */
export class Trace {
  #lines: string[] = [];

  note(line: string): void {
    this.#lines = [...this.#lines.slice(-2), line];
  }

  clear(): void {
    this.#lines = [];
  }

  describe(): string {
    return this.#lines.at(-1) ?? 'before any request';
  }
}
