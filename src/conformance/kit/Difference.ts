/** Ends a check: the service differs from the contract. */
export class Difference extends Error {
  override readonly name = 'Difference';
  readonly expected: string;
  readonly got: string;

  constructor(expected: string, got: unknown) {
    const seen = show(got);
    super(`expected ${expected}, got ${seen}`);
    this.expected = expected;
    this.got = seen;
  }
}

const LONGEST = 600;

/** A value as a line of a report; long ones are cut. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
