/** Outcomes of the requests of one endpoint or command. */
export interface TallyRow {
  name: string;
  sent: number;
  accepted: number;
  refused: number;
  /** Other ends: closed connections, streams. */
  other: number;
  codes: Record<string, number>;
}

/** Counts by endpoint, which show the reach of the fuzzer. */
export class Tally {
  readonly #rows = new Map<string, TallyRow>();

  add(name: string, outcome: 'accepted' | 'refused' | 'other', code: string | null = null): void {
    const fresh = { name, sent: 0, accepted: 0, refused: 0, other: 0, codes: {} };
    const row: TallyRow = this.#rows.get(name) ?? fresh;
    this.#rows.set(name, row);
    row.sent++;
    row[outcome]++;
    if (code !== null) row.codes[code] = (row.codes[code] ?? 0) + 1;
  }

  rows(): TallyRow[] {
    return [...this.#rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
