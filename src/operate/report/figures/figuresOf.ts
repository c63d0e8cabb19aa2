import { counted } from '../../../env/counted.ts';
import { FEWEST_RETURNS } from '../statistics.ts';
import { definitions } from './definitions.ts';
import {
  FIGURE_GROUPS,
  type Figure,
  type FigureDefinition,
  type FigureGroup,
  type FigureInput,
} from './Figure.ts';

/** The figures of some groups, each with its value, or with the reason why there is none. */
export function figuresOf(
  input: FigureInput,
  groups: readonly FigureGroup[] = FIGURE_GROUPS,
): Figure[] {
  return groups.flatMap((group) =>
    definitions[group].map((definition) => toFigure(definition, group, input)),
  );
}

function toFigure(definition: FigureDefinition, group: FigureGroup, input: FigureInput): Figure {
  const { name, label, unit, unless } = definition;
  const shown = { name, label, group, unit };
  const lacking = lackOf(definition, input) ?? definition.lacks?.(input) ?? null;
  if (lacking !== null) return { ...shown, value: null, why: lacking };
  const value = definition.of(input);
  if (value !== null && Number.isFinite(value)) {
    const note = definition.note?.(input) ?? null;
    return note === null ? { ...shown, value } : { ...shown, value, note };
  }
  return { ...shown, value: null, why: unless ?? 'it is not a number' };
}

/** What is missing for a figure; null if nothing is. */
function lackOf({ needs }: FigureDefinition, input: FigureInput): string | null {
  const { returns, benchmark, trades } = input;
  if (needs === 'nothing') return null;
  if (needs === 'trade') {
    return trades.some(({ exit_time }) => exit_time !== null) ? null : 'no trade was closed';
  }
  if (needs === 'benchmark' && benchmark === null) return 'the run has no bars to compare it with';
  const least = needs === 'day' ? 1 : FEWEST_RETURNS;
  if (returns.length < least) {
    return `needs ${counted(least, 'whole UTC day')}, and the run has ${returns.length}`;
  }
  const ruined = returns.some((value) => !Number.isFinite(value));
  return ruined ? 'the equity was zero or less when a day began' : null;
}
