import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import { createStreams, type StreamFault } from '../../src/streams/index.ts';
import { holdLaw } from '../holdLaw.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const meta = { channel: '_meta', params: {} };
const LAYERS = ['orders', 'market_data', 'algos'] as const;
type Layers = Readonly<Record<string, string>>;

test('STR-4: layers are those of the newest frame, or of a read that no frame overtook', async () => {
  const kinds = [
    'welcome',
    'degraded',
    'degraded',
    'recovered',
    'lose',
    'again',
    'cut',
    'ask',
    'read',
  ] as const;
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom(...kinds),
      fc.constantFrom(...LAYERS),
      fc.constantFrom('ok', 'slow', 'degraded'),
    ),
    { maxLength: 30, size: 'max' },
  );
  await holdLaw(200, steps, async (drawn) => {
    const link = new ScriptedLink();
    const streams = createStreams({ link, env: createVirtualEnv() });
    const faults: StreamFault[] = [];
    streams.faults$.subscribe((fault) => faults.push(fault));
    await streams.open();
    const [seen, shown]: [string[], Layers[]] = [[], []];
    const during: (number | undefined)[] = [];
    streams.meta$.subscribe(({ event }) => {
      seen.push(event);
      during.push(streams.frameTime());
    });
    streams.connectivity$.subscribe((layers) => shown.push(layers));
    let [layers, changes, gaps]: [Layers, number, number] = [{}, 1, 0];
    const expected: string[] = [];
    let next: number | undefined;
    let last: ReturnType<ScriptedLink['next']> | undefined;
    let asked: { admit(read: Layers): void; changes: number; known: Layers } | undefined;
    const become = (now: Layers): void => {
      layers = now;
      changes++;
    };
    for (const [kind, layer, word] of drawn) {
      link.market.advanceTo(link.market.now() + 1);
      if (kind === 'lose') link.next(meta, 'degraded', { layer });
      else if (kind === 'cut') {
        link.lose();
        link.reopen([meta]);
        next = undefined;
      } else if (kind === 'ask') asked = { admit: streams.expectLayers(), changes, known: layers };
      else if (kind === 'read' && asked !== undefined) {
        const read = { [layer]: word };
        asked.admit(read);
        if (asked.changes === changes && asked.known[layer] !== word)
          become({ ...layers, ...read });
        asked = undefined;
      } else if (kind === 'again' && last !== undefined && next !== undefined && last.seq < next) {
        link.deliver(last);
      } else if (kind === 'welcome' || kind === 'degraded' || kind === 'recovered') {
        const all = { orders: word, market_data: 'ok' };
        const status = word === 'ok' ? {} : { status: word };
        last = link.next(
          meta,
          kind,
          kind === 'welcome' ? { connectivity: all, server_time: 1 } : { layer, ...status },
        );
        if (next !== undefined && last.seq > next) gaps++;
        next = last.seq + 1;
        link.deliver(last);
        expected.push(kind);
        if (kind === 'welcome') become(all);
        else if (kind === 'recovered') become({ ...layers, [layer]: 'ok' });
        else become({ ...layers, [layer]: word === 'ok' ? 'degraded' : word });
        expect([during.at(-1), streams.frameTime()]).toEqual([last.ts, undefined]);
      }
      expect(shown.at(-1)).toEqual(layers);
      expect(shown).toHaveLength(changes);
    }
    expect(seen).toEqual(expected);
    expect(faults.filter((fault) => fault.kind === 'gap')).toHaveLength(gaps);
  });
});
