/** One kind of fault, with the first requests that showed it. */
export interface Finding {
  /** Where and what, without what differs from one request to the next. */
  title: string;
  count: number;
  samples: Array<{ index: string; request: string; detail: string }>;
}

const SAMPLES = 3;

/** Faults by kind: the ten-thousandth of a kind says nothing that the first did not. */
export class Findings {
  readonly #byTitle = new Map<string, Finding>();

  add(title: string, sample: Finding['samples'][number]): void {
    const finding = this.#byTitle.get(title) ?? { title, count: 0, samples: [] };
    this.#byTitle.set(title, finding);
    finding.count++;
    if (finding.samples.length < SAMPLES) finding.samples.push(sample);
  }

  list(): Finding[] {
    return [...this.#byTitle.values()].sort((a, b) => b.count - a.count);
  }
}
