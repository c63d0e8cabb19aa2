import {
  drawScenario,
  HOUR_MS,
  IDEMPOTENCY_MODELS,
  type Fault,
  type IdempotencyModel,
  type Scenario,
} from './Scenario.ts';
import { simulate } from './simulate.ts';

/** Outcome of a model's hours. */
export interface ModelFigures {
  model: IdempotencyModel;
  hours: number;
  /** Sends under a key that the service had already received. */
  resends: number;
  /** Intents that became an order or an execution. */
  executed: number;
  violations: string[];
}

const TROUBLE: ReadonlyArray<Pick<Fault, 'kind' | 'rate' | 'size' | 'detail'>> = [
  { kind: 'lose_answer', rate: 0.2, size: 0, detail: 'reset' },
  { kind: 'lose_request', rate: 0.1, size: 0, detail: 'silence' },
  { kind: 'error_after', rate: 0.1, size: 0, detail: '' },
  { kind: 'error_before', rate: 0.1, size: 0, detail: '' },
  { kind: 'slow_answer', rate: 0.1, size: 80_000, detail: '' },
  { kind: 'truncate_body', rate: 0.1, size: 0, detail: '' },
];
const CRASHES = ['after_send', 'before_answer', 'after_answer'];

/** A seed under a given model, with lost answers and crashes throughout the hour. */
function underModel(seed: string, model: IdempotencyModel): Scenario {
  const scenario = drawScenario(seed);
  const extra = [
    ...TROUBLE.map((fault) => ({ ...fault, from: 60_000, until: HOUR_MS })),
    ...CRASHES.map((detail, index) => {
      const from = (index + 1) * 900_000;
      return { kind: 'crash' as const, rate: 1, size: 5_000, detail, from, until: from };
    }),
  ];
  const faults = [...scenario.faults, ...extra].map((fault, id) => ({ ...fault, id }));
  return { ...scenario, service: { ...scenario.service, idempotency: model }, faults };
}

/** Every model with the same seeds. */
export async function measureModels(
  seeds: number,
  onModel: (figures: ModelFigures) => void = () => {},
): Promise<ModelFigures[]> {
  const all: ModelFigures[] = [];
  for (const model of IDEMPOTENCY_MODELS) {
    const figures: ModelFigures = { model, hours: 0, resends: 0, executed: 0, violations: [] };
    for (let seed = 1; seed <= seeds; seed++) {
      const { violation, resends, executed } = await simulate(underModel(String(seed), model));
      figures.hours++;
      figures.resends += resends;
      figures.executed += executed;
      if (violation !== null) figures.violations.push(`${seed}: ${violation.message}`);
    }
    all.push(figures);
    onModel(figures);
  }
  return all;
}

/** A row for a terminal. */
export function formatModel({ model, hours, resends, executed, violations }: ModelFigures): string {
  const verdict = violations.length === 0 ? 'no double' : violations.join('; ');
  return `${model.padEnd(18)} ${hours} h, ${executed} executed, ${resends} sent again: ${verdict}`;
}
