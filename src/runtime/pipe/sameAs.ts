import type { Emission } from '../../strategy/Emission.ts';
import type { SendItem } from './PipeItem.ts';

/** Whether both request exactly the same for the same wallet. */
export function sameAs({ intent, instance, wallet }: Emission): (item: SendItem) => boolean {
  const text = JSON.stringify(intent);
  return ({ emission: other }) =>
    other.instance === instance && other.wallet === wallet && JSON.stringify(other.intent) === text;
}
