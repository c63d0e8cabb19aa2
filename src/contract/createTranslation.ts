import type { EndpointId } from './endpoints.ts';
import type { ServiceResponse } from './exchange.ts';
import { withCode } from './failures/withCode.ts';

/** Names of ours with the service's beside them. */
type NameMap = Readonly<Record<string, string>>;

/** What a service calls otherwise; all of it empty in the default dialect. */
export interface ServiceNames {
  /** Fields of bodies, answers and frames; `stop_loss.price` only inside of `stop_loss`. */
  fields: NameMap;
  /** Parameters of queries; one that is not named here is called as the field is. */
  query: NameMap;
  /** Values of a field: `{ algo: { pacemaker: 'twap' } }`. */
  words: Readonly<Record<string, NameMap>>;
  /** Error codes. */
  codes: NameMap;
  channels: NameMap;
  events: NameMap;
  commands: NameMap;
  /** What stands before a client id where a path takes an id. */
  clientIdPrefix: string;
}

/** A request as it goes over the wire: the parts that a service may want otherwise. */
export interface WireRequest {
  endpoint: EndpointId;
  pathParams: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | number | boolean>>;
  /** Undefined where there is none. */
  body: unknown;
}

/** An answer in JSON as it came. */
export interface WireAnswer extends ServiceResponse {
  endpoint: EndpointId;
}

/** Turns whole values between our names and the service's. */
export interface Translation {
  /** Nothing differs, so that nothing has to be walked. */
  isIdentity: boolean;
  request(request: WireRequest): WireRequest;
  /** What names a resource in a path or in a command's args. */
  idThere(id: string): string;
  toTheirs(value: unknown): unknown;
  toOurs(value: unknown): unknown;
}

/** Our own prefix (conventions §3). */
const CLIENT = 'client:';

/** Where an error's code stands. */
const CODE_FIELDS = ['error.code', 'last_error.code', 'fields.code'];

/** @throws Error where two of our names would be one of the service's, which can't be told apart again */
export function createTranslation(names: ServiceNames): Translation {
  const words: Record<string, NameMap> = {
    ...Object.fromEntries(CODE_FIELDS.map((field) => [field, names.codes])),
    channel: names.channels,
    event: names.events,
    command: names.commands,
    ...names.words,
  };
  const maps = [names.fields, names.query, ...Object.values(words)];
  const isPlain = maps.every((map) => Object.keys(map).length === 0);
  const backFields = reverse('names.fields', names.fields);
  const backWords = Object.fromEntries(
    Object.entries(words).map(([field, map]) => [field, reverse(`names.words.${field}`, map)]),
  );

  const outward = rename({ fieldOf: names.fields, words, isOurs: true });
  const inward = rename({ fieldOf: backFields, words: backWords, isOurs: false });
  const idThere = (id: string): string =>
    id.startsWith(CLIENT) ? names.clientIdPrefix + id.slice(CLIENT.length) : id;
  return {
    isIdentity: isPlain && names.clientIdPrefix === CLIENT,
    request({ endpoint, pathParams, query, body }) {
      return {
        endpoint,
        pathParams: mapEntries(pathParams, ([name, value]) => [name, idThere(value)]),
        query: mapEntries(query, ([name, value]) => [
          names.query[name] ?? names.fields[name] ?? name,
          typeof value === 'string' ? (words[name]?.[value] ?? value) : value,
        ]),
        body: outward(body, ''),
      };
    },
    idThere,
    toTheirs: (value) => (isPlain ? value : outward(value, '')),
    toOurs: (value) => (isPlain ? value : inward(value, '')),
  };
}

interface Renaming {
  fieldOf: NameMap;
  words: Readonly<Record<string, NameMap>>;
  /** Whether what is walked has our names; words and places are told by ours. */
  isOurs: boolean;
}

/** Walks a value and renames fields and words; lists take the name of the field that they stand in. */
function rename({ fieldOf, words, isOurs }: Renaming) {
  const wordOf = (field: string, word: string): string | undefined =>
    Object.hasOwn(words, field) ? own(words[field]!, word) : undefined;
  const walk = (value: unknown, parent: string, place = parent): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, parent, place));
    if (typeof value === 'string') return wordOf(place, value) ?? wordOf(parent, value) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const other = own(fieldOf, `${parent}.${key}`) ?? own(fieldOf, key) ?? key;
        const ours = isOurs ? key : other;
        return [other, walk(item, ours, `${parent}.${ours}`)];
      }),
    );
  };
  return walk;
}

/** A field that a service calls `constructor` has nothing to do with the map's own. */
const own = (map: NameMap, name: string): string | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;

/** The map of the way back: the service's names with ours, inside the same field. */
function reverse(where: string, map: NameMap): NameMap {
  const back: Record<string, string> = {};
  for (const [ours, theirs] of Object.entries(map)) {
    const dot = ours.lastIndexOf('.');
    const from = ours.slice(0, dot + 1) + theirs;
    const other = back[from];
    if (other !== undefined) {
      throw withCode(
        'TRIMTAB_DIALECT_UNUSABLE',
        new Error(`${where}: ${other} and ${ours} can't both be ${theirs} on the wire.`),
      );
    }
    back[from] = ours.slice(dot + 1);
  }
  return back;
}

function mapEntries<V, W>(
  record: Readonly<Record<string, V>>,
  change: (entry: [string, V]) => [string, W],
): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(change));
}
