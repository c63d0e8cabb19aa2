import { fileURLToPath } from 'node:url';
import { deepError } from './deepError.ts';

/** An operator that subscribes stands some calls of RxJS away. */
const DEPTH = 60;
const OPERATOR = /[/\\]rxjs[/\\].*[/\\]operators[/\\](\w+?)(?:Internals)?\.js/;
const MACHINE = /[/\\]node_modules[/\\]rxjs[/\\]|\bnode:/;
const { pathname } = new URL('../', import.meta.url);
/** This package, as an address and as a path. */
const OWN = [pathname, fileURLToPath(`file://${pathname}`)];

/**
 * The operator that subscribes to a source right now, by its name in RxJS; undefined if it is another one, or code of
 * the plugin.
 *
 * @param known operators of this package that stand before it
 */
export function subscribingOperator(known: number): string | undefined {
  const { stack = '' } = deepError('here', DEPTH);
  let passed = 0;
  for (const frame of stack.split('\n').slice(1)) {
    const root = OWN.find((path) => frame.includes(path));
    if (root !== undefined && frame.includes(`${root}strategy/operators/step.`)) passed += 1;
    if (passed > known) return undefined;
    const operator = OPERATOR.exec(frame)?.[1];
    if (operator !== undefined) return operator;
    if (root === undefined && !MACHINE.test(frame)) return undefined;
  }
  return undefined;
}
