import type { Scenario } from './Scenario.ts';
import { simulate, type SimOptions } from './simulate.ts';

/** Removes faults one by one while the same invariant still breaks. */
export async function shrink(
  scenario: Scenario,
  invariant: string,
  options: SimOptions = {},
): Promise<Scenario> {
  let small = scenario;
  for (let again = true; again;) {
    again = false;
    for (const fault of small.faults) {
      const faults = small.faults.filter((other) => other !== fault);
      const { violation } = await simulate({ ...small, faults }, options);
      if (violation?.invariant !== invariant) continue;
      small = { ...small, faults };
      again = true;
    }
  }
  return small;
}
