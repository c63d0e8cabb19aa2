import { UnsendableValueError } from './errors/UnsendableValueError.ts';

type Path = ReadonlyArray<string | number>;

/**
 * Refuses what `JSON.stringify` would change silently or throw at: NaN and infinities become null, which the
 * service reads as "not given"; a hole in a list becomes null; a date becomes text where times are epoch
 * milliseconds; a Map becomes `{}`. A field that is undefined is left out, as in any call.
 *
 * @throws UnsendableValueError with the path of the first such field
 */
export function requireSendable(value: unknown, path: Path = []): void {
  check(value, path, []);
}

function check(value: unknown, path: Path, above: readonly object[]): void {
  switch (typeof value) {
    case 'number':
      if (Number.isFinite(value)) return;
      return refuse(path, String(value), 'send a finite number, or leave the field out');
    case 'bigint':
      return refuse(path, `${value}n`, 'send a number, or a text where the field takes one');
    case 'function':
    case 'symbol':
      return refuse(path, `a ${typeof value}`, 'send a plain value');
    case 'object':
      if (value !== null) checkObject(value, path, above);
  }
}

function checkObject(value: object, path: Path, above: readonly object[]): void {
  if (above.includes(value)) return refuse(path, 'a value that contains itself', 'send a tree');
  const within = [...above, value];
  if (Array.isArray(value)) {
    // Not forEach, which skips the holes of a list.
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (item === undefined) {
        return refuse([...path, index], 'undefined in a list', 'leave the place out of the list');
      }
      check(item, [...path, index], within);
    }
    return;
  }
  if (value instanceof Date) {
    return refuse(path, 'a Date', 'send epoch milliseconds, as getTime() gives them');
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return refuse(path, `a ${value.constructor.name || 'class'}`, 'send a plain object');
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return refuse(path, 'an object with toJSON', 'send what toJSON gives');
  }
  for (const [name, item] of Object.entries(value)) check(item, [...path, name], within);
}

function refuse(path: Path, what: string, remedy: string): never {
  throw new UnsendableValueError(path.join('.'), what, remedy);
}
