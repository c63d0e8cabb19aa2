/** One kind of fault, with the first requests that showed it. */
export interface Finding {
  /** Place and kind, without details of the single request. */
  title: string;
  count: number;
  samples: Array<{ index: string; request: string; detail: string }>;
}

const SAMPLES = 3;

/** Faults by kind: repetitions add no information. */
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
