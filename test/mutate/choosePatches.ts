import { PROOFS } from '../clauseProofs.ts';
import { MUTATIONS } from '../conformance/mutations.ts';
import { sourceFiles } from '../sourceFiles.ts';
import { generatePatches, sampleOf } from './generatePatches.ts';
import { nameOf, stationOf, type Patch } from './Patch.ts';
import { TABLES } from './tables/index.ts';

/** Flags of the command. */
export interface Choice {
  station?: string | undefined;
  file?: string | undefined;
  /** `3/16`: the third of sixteen. */
  part: string;
  /** How many of the generator's for each station, or `all`. */
  generated: string;
  /** The generator's of these kinds alone, and none by hand. */
  kind?: string | undefined;
}

/** Written by hand: the tables, and the bugs that prove clauses and conformance checks. */
export function writtenPatches(): Patch[] {
  return [
    ...TABLES.flatMap(({ patches }) => patches),
    ...PROOFS.map(({ id, side, file, from, to }): Patch => {
      const path = `src/${file}`;
      const name = `${id} ${side} is broken`;
      return { station: stationOf(path), file: path, name, edit: { from, to } };
    }),
    ...MUTATIONS.map(({ name, file, from, to }): Patch => {
      const path = `src/paper/${file}`;
      return { station: stationOf(path), file: path, name, edit: { from, to } };
    }),
  ];
}

/** What has no consequence for money: pages that show, commands that print, benchmarks. */
const NOT_GENERATED =
  /^src\/(cli|conformance|index|service\.ts|testing|operate\/(report|serve|progress|doctor|travel|journal)|contract\/failures)|^backtest\/(benchmarks|dev|check)/;

/** Everything that the generator makes, excused where a table says so. */
export function generatedPatches(): Patch[] {
  const files = [...sourceFiles('src'), ...sourceFiles('backtest')].filter(
    (file) => !NOT_GENERATED.test(file) && !file.endsWith('.d.ts'),
  );
  const excuses = new Map(
    TABLES.flatMap((table) =>
      table.excuses.map(([file, name, equivalent]) => [
        `${table.folder}/${file}: ${name}`,
        equivalent,
      ]),
    ),
  );
  return generatePatches(files).map((patch) => ({
    ...patch,
    equivalent: excuses.get(nameOf(patch)),
  }));
}

export function choosePatches(choice: Choice, refuse: (why: string) => never): Patch[] {
  const { generated, part, station, file, kind } = choice;
  const split = /^([1-9]\d*)\/([1-9]\d*)$/.exec(part);
  const [index, count] = [Number(split?.[1]), Number(split?.[2])];
  if (split === null || index > count) return refuse(`--part ${part}: 3/16 is the third of 16.`);
  if (!/^(all|\d+)$/.test(generated)) {
    return refuse(`--generated ${generated}: a number for each station is expected, or all.`);
  }
  const stations = station?.split(',');
  const isChosen = (patch: Patch): boolean =>
    (stations?.some((one) => patch.station === one || patch.station.startsWith(`${one}/`)) ??
      true) &&
    (file === undefined || patch.file.includes(file));
  const kinds = kind?.split(',');
  const isOfKind = ({ name }: Patch): boolean =>
    kinds?.some((one) => name.startsWith(`${one}: `)) ?? true;
  const all = generated === '0' ? [] : generatedPatches();
  const known = new Set(all.map(({ name }) => name.slice(0, name.indexOf(': '))));
  const unknown = all.length === 0 ? undefined : kinds?.find((one) => !known.has(one));
  if (unknown !== undefined)
    return refuse(`--kind ${unknown}: ${[...known].toSorted().join(', ')} are the kinds.`);
  const made = all.filter((patch) => isChosen(patch) && isOfKind(patch));
  const sample = generated === 'all' ? made : sampleOf(made, Number(generated));
  const written = kinds === undefined ? writtenPatches().filter(isChosen) : [];
  const chosen = [...written, ...sample];
  if (chosen.length === 0) return refuse('No patch is of that station and file; --list names all.');
  return chosen.filter((_patch, at) => at % count === index - 1);
}
