import { exit } from 'node:process';
import { from, ignoreElements, map, merge, NEVER, finalize, switchMap, take, tap } from 'rxjs';
import { defineStrategy, placeOrder, sma } from 'trimtab';
import { z } from 'zod';

/** Buys at each bar, and misbehaves as configured at the bar that closes at 13. */
export default defineStrategy({
  name: 'oddities',
  contract: 1,
  description: 'Does odd things.',
  scopes: ['trade'],
  params: z.object({ does: z.string().default('nothing') }),
  state: z.object({ bars: z.int().default(0), atEnd: z.boolean().default(false) }),
  setup(ctx) {
    const { symbol, params } = ctx;
    const buy = (meta = {}) => placeOrder.market({ symbol, side: 'buy', size: 1 }, meta);
    const odd: Readonly<Record<string, () => unknown>> = {
      nothing: () => undefined,
      loops: () => {
        for (;;);
      },
      'loops and logs': () => {
        for (let line = 0; ; line += 1) ctx.log.debug(`line ${line}`);
      },
      'loops and keeps': () => {
        for (let bars = 0; ; bars += 1) ctx.state.set({ bars, atEnd: false });
      },
      exits: () => process.exit(3),
      'exits by another name': () => exit(4),
      'rejects nowhere': () => void Promise.reject(new Error('nobody waits for it')),
      'throws in a subscriber': () =>
        ctx.position(symbol).subscribe(() => {
          throw new Error('in a subscriber');
        }),
      'changes its state in place': () => void (ctx.state.get().bars += 1),
      'shows its environment': () => ctx.log.warn(`has ${Object.keys(process.env).join(' ')}.`),
    };
    const retained: number[][] = [];
    const bars$ = ctx.candles(symbol, '1m').pipe(
      tap(({ close }) => ctx.state.set({ bars: ctx.state.get().bars + 1, atEnd: close === 0 })),
      tap(
        () =>
          void (
            params.does === 'hoards' && retained.push(Array.from({ length: 1_000_000 }, () => 0.5))
          ),
      ),
      tap(({ close }) => {
        if (params.does === 'plots') ctx.plot('twice', 2 * close, { pane: 'doubled' });
      }),
      tap(({ close }) => void (close === 13 && odd[params.does]!())),
      finalize(() => ctx.state.set({ ...ctx.state.get(), atEnd: true })),
    );
    const mean$ = ctx.candles(symbol, '1m').pipe(sma(2), ignoreElements());
    const outcomes$ = ctx.outcomes$.pipe(
      tap(({ state }) => ctx.log.info(`outcome ${state}`)),
      ignoreElements(),
    );
    const received$ = merge(
      ctx.fills$.pipe(tap(({ fill_id }) => ctx.log.info(`fill ${fill_id}`))),
      ctx.price(symbol).pipe(tap(({ last }) => ctx.log.info(`tick ${last}`))),
    ).pipe(ignoreElements());
    const promised$ = merge(from(Promise.resolve(buy({ decision: 'promised' }))), NEVER);
    return merge(
      outcomes$,
      params.does === 'plots' ? mean$ : NEVER,
      bars$.pipe(
        switchMap(() => ctx.position(symbol).pipe(take(1))),
        map(() => buy()),
      ),
      params.does === 'hears' ? received$ : NEVER,
      params.does === 'promises' ? promised$ : NEVER,
    );
  },
});
