import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profiler } from 'node:inspector/promises';
import { createModuleFinder } from './createModuleFinder.ts';

/** Milliseconds of the samples, by who was running. */
export interface ProfileSummary {
  totalMs: number;
  /** Longest first. */
  stations: readonly { name: string; ms: number }[];
  /** Functions of plugins, longest first, each by its place and the RxJS operator that called it, if one did. */
  lines: readonly PluginLine[];
}

export interface PluginLine {
  /** `trend.ts:41`, relative to the working directory. */
  place: string;
  name: string;
  operator: string | undefined;
  ms: number;
}

type Node = Profiler.ProfileNode;

/** Folders of this package, the more special ones first. */
const FOLDERS: ReadonlyArray<readonly [prefix: string, station: string]> = [
  ['src/paper/feed/', 'loading the tape'],
  ['src/paper/server/', 'loading the tape'],
  ['src/data/', 'loading the tape'],
  ['src/paper/', 'simulated venue'],
  ['src/streams/', 'streams'],
  ['src/frames/', 'streams'],
  ['src/strategy/', 'strategy host and operators'],
  ['src/indicators/', 'indicators'],
  ['src/runtime/pipe/', 'decisions: guards, keys, queue'],
  ['src/intents/', 'decisions: guards, keys, queue'],
  ['src/guards/', 'decisions: guards, keys, queue'],
  ['src/budget/', 'decisions: guards, keys, queue'],
  ['src/outcomes/', 'decisions: guards, keys, queue'],
  ['src/contract/', 'checks of shapes'],
  ['src/journal/', 'journal'],
  ['src/runtime/record/', "the run's record"],
  ['src/operate/report/', "the run's record"],
  ['src/statistics/', "the run's record"],
  ['src/runtime/', 'books, marks, exposure'],
  ['src/operate/directLink/', 'replay'],
  ['backtest/', 'replay'],
];
/** A build joins modules there. */
const CHUNKS = 'src/chunks/';
const OTHER = 'the rest';
const PLUGIN = 'plugin';
/** V8's own entries. */
const ENGINE: ReadonlyMap<string, string> = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', OTHER],
]);
const UNCOUNTED: ReadonlySet<string> = new Set(['(idle)', '(root)']);

/** @param home folder of this package, whose own files are no plugin's but for its example strategies */
export function summariseProfile(profile: Profiler.Profile, home: string): ProfileSummary {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const callers = new Map<number, Node>();
  for (const node of profile.nodes) for (const id of node.children ?? []) callers.set(id, node);
  const stations = new Map<string, number>();
  const lines = new Map<string, PluginLine>();
  const moduleAt = createModuleFinder();
  let totalMs = 0;
  const { samples = [], timeDeltas = [] } = profile;
  for (const [at, id] of samples.entries()) {
    const node = nodes.get(id)!;
    const { functionName, url } = node.callFrame;
    // Ending the profile is none of the run's time.
    if (UNCOUNTED.has(functionName) || url === 'node:inspector') continue;
    const ms = timeDeltas[at]! / 1_000;
    totalMs += ms;
    const known = ENGINE.get(functionName);
    const { station, frame } =
      known === undefined
        ? placeOf(node, callers, home, moduleAt)
        : { station: known, frame: node };
    stations.set(station, (stations.get(station) ?? 0) + ms);
    if (station === PLUGIN) addLine(lines, frame, callers.get(frame.id), ms);
  }
  const byTime = (one: { ms: number }, other: { ms: number }): number => other.ms - one.ms;
  return {
    totalMs,
    stations: [...stations].map(([name, ms]) => ({ name, ms })).toSorted(byTime),
    lines: [...lines.values()].toSorted(byTime),
  };
}

/** Code of Node and of packages counts where it was called from. */
function placeOf(
  node: Node,
  callers: ReadonlyMap<number, Node>,
  home: string,
  moduleAt: ReturnType<typeof createModuleFinder>,
): Place {
  for (let frame: Node | undefined = node; frame !== undefined; frame = callers.get(frame.id)) {
    const { url, lineNumber } = frame.callFrame;
    if (!url.startsWith('file:')) continue;
    const path = pathOf(url);
    if (path.includes(`${sep}rxjs${sep}`)) return { station: 'RxJS', frame };
    if (path.includes(`${sep}node_modules${sep}`) && !path.startsWith(home + sep)) continue;
    const inPackage = relative(home, path)
      .split(sep)
      .join('/')
      .replace(/^dist\//, '');
    const own = inPackage.startsWith(CHUNKS) ? (moduleAt(path, lineNumber) ?? '') : inPackage;
    if (own.startsWith('node_modules/')) continue;
    const known = FOLDERS.find(([prefix]) => own.startsWith(prefix));
    if (known !== undefined) return { station: known[1], frame };
    // The examples of this package are plugins too.
    if (own.startsWith('../') || own.startsWith('strategies/')) return { station: PLUGIN, frame };
  }
  return { station: OTHER, frame: node };
}

interface Place {
  station: string;
  /** The frame that decided. */
  frame: Node;
}

/** A plugin's version may be named behind its path. */
const pathOf = (url: string): string => fileURLToPath(url.replace(/[?#].*$/, ''));

function addLine(
  lines: Map<string, PluginLine>,
  { callFrame }: Node,
  caller: Node | undefined,
  ms: number,
): void {
  const path = relative(process.cwd(), pathOf(callFrame.url));
  const place = `${path}:${callFrame.lineNumber + 1}`;
  const operator = /rxjs.*operators\/(\w+?)(?:Internals)?\.js/.exec(
    caller?.callFrame.url ?? '',
  )?.[1];
  const key = `${place} ${callFrame.functionName} ${operator}`;
  const line = lines.get(key) ?? { place, name: callFrame.functionName, operator, ms: 0 };
  line.ms += ms;
  lines.set(key, line);
}
