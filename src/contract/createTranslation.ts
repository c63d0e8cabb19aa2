import type { EndpointId } from './endpoints.ts';
import type { ServiceResponse } from './exchange.ts';
import { withCode } from './failures/withCode.ts';

/** Names of ours with the service's beside them. */
type NameMap = Readonly<Record<string, string>>;

/** The names that differ on a service; all empty in the default dialect. */
export interface ServiceNames {
  /** Fields of bodies, responses and frames; `stop_loss.price` only inside `stop_loss`. */
  fields: NameMap;
  /** Query parameters; one that is not listed here has the field's name. */
  query: NameMap;
  /** Values of a field: `{ algo: { pacemaker: 'twap' } }`. */
  words: Readonly<Record<string, NameMap>>;
  /** Error codes. */
  codes: NameMap;
  channels: NameMap;
  events: NameMap;
  commands: NameMap;
  /** Prefix of a client id in a path that takes an id. */
  clientIdPrefix: string;
}

/** A request as it goes over the wire: the parts that may differ on a service. */
export interface WireRequest {
  endpoint: EndpointId;
  pathParams: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | number | boolean>>;
  /** Undefined if there is none. */
  body: unknown;
}

/** A JSON response as it arrived. */
export interface WireAnswer extends ServiceResponse {
  endpoint: EndpointId;
}

/** Turns whole values between our names and the service's. */
export interface Translation {
  /** Nothing differs, so nothing has to be traversed. */
  isIdentity: boolean;
  request(request: WireRequest): WireRequest;
  /** A resource's identifier in a path or in a command's args. */
  idThere(id: string): string;
  toTheirs(value: unknown): unknown;
  toOurs(value: unknown): unknown;
}

/** Our own prefix (conventions §3). */
const CLIENT = 'client:';

/** The path of an error's code. */
const CODE_FIELDS = ['error.code', 'last_error.code', 'fields.code'];

/** @throws Error if two of our names would map to the same name of the service, which can't be reversed */
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
  /** Whether the traversed value has our names; words and paths are matched by ours. */
  isOurs: boolean;
}

/** Traverses a value and renames fields and words; lists have the name of their field. */
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

/** The reverse map: the service's names to ours, inside the same field. */
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
