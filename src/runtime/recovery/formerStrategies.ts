import type { JournalStore } from '../../journal/index.ts';
import { isPaused, isThrottled, readStage } from '../control/index.ts';

/** The journal's fact with the names of the strategies of the last start, a list as JSON. */
const NAMES = 'strategies';

/**
 * What the journal has under names that were configured at the last start and are not now, while others came: if a
 * strategy was renamed, neither its pause nor its stage nor its state goes on, and nothing else would show that.
 */
export function explainRenamed(
  store: Pick<JournalStore, 'meta' | 'latch' | 'readState'>,
  names: readonly string[],
): string[] {
  const before = namesIn(store.meta(NAMES));
  const fresh = names.filter((name) => !before.includes(name));
  if (before.length === 0 || fresh.length === 0) return [];
  const added = fresh.join(', ');
  return before
    .filter((name) => !names.includes(name))
    .flatMap((name) => {
      const left = leftOf(store, name);
      if (left.length === 0) return [];
      return [
        `${name} was configured at the last start and is not now, and ${added} came: of ${name} the journal has ${left.join(', ')}, which ${added} begins without; if it is the same strategy, give it its name back`,
      ];
    });
}

/** For the next start. */
export function rememberNames(
  store: Pick<JournalStore, 'meta' | 'setMeta'>,
  names: readonly string[],
): void | Promise<void> {
  const text = JSON.stringify(names);
  if (store.meta(NAMES) !== text) return store.setMeta(NAMES, text);
}

function leftOf(store: Pick<JournalStore, 'latch' | 'readState'>, name: string): string[] {
  const stage = readStage(store, name);
  const version = stage === undefined ? name : `${name}+${stage.version}`;
  const hasState = [name, version].some((one) => store.readState(one) !== undefined);
  return [
    ...(isPaused(store, name) ? ['a pause'] : []),
    ...(isThrottled(store, name) ? ['a throttle'] : []),
    ...(stage === undefined ? [] : [`the stage ${stage.stage}`]),
    ...(hasState ? ['a state'] : []),
  ];
}

function namesIn(text: string | undefined): string[] {
  return text === undefined ? [] : (JSON.parse(text) as string[]);
}
