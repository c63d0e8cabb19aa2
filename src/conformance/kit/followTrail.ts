import type { Json } from './Answer.ts';
import { accepted, equal } from './claims.ts';
import type { Actor } from './createActor.ts';
import type { Stage } from './Stage.ts';
import { attach, openPosition, priceOf } from './trading.ts';
import { Inconclusive } from './Inconclusive.ts';

export interface TrailRules {
  spec: object;
  /** The trigger after a bar, before the rules of tightening. */
  target: (stage: Stage, me: Actor) => Promise<number>;
  minMoveBps: number;
  /** −1: below the price, like a long's stop. */
  way: 1 | -1;
  kind: 'take_profit' | 'stop_loss';
}

/**
 * Follows a trail over closed bars and claims each trigger; returns how often it moved and how often it
 * stayed.
 */
export async function followTrail(stage: Stage, rules: TrailRules): Promise<string> {
  const { kind, way } = rules;
  const me = await stage.actor();
  const seen = { moved: 0, unchanged: 0, ended: 0 };
  const markNow = async (): Promise<number> => (await priceOf(stage, me)).mark;
  const isEnough = (): boolean => seen.moved >= 3 && seen.unchanged >= 3;
  const probe = await stage.stream(me);
  await probe.subscribe('tpsl.watch');
  for (let trade = 0; trade < 6 && !isEnough(); trade++) {
    await openPosition(stage, me);
    const { legs } = accepted(await attach(stage, me, { [kind]: rules.spec }), 'a trail');
    const id: string = legs[kind].leg_id;
    let trigger: number = legs[kind].resolution.trigger_price;
    const moves: number[] = [];
    for (let bar = 0; bar < 40 && !isEnough(); bar++) {
      await stage.tape.bars(1);
      const now = await legOf(stage, me, id);
      if (now?.status !== 'armed') {
        seen.ended += 1;
        break;
      }
      const target = await rules.target(stage, me);
      const isTighter = way * (target - trigger) < 0;
      const isPast = kind === 'take_profit' && way * (target - (await markNow())) <= 0;
      const far = (Math.abs(target - trigger) / trigger) * 10_000 >= rules.minMoveBps;
      const isMove = isTighter && far && !isPast;
      const wanted = isMove ? target : trigger;
      const what = `trigger of a trail at ${trigger} whose target is ${target}`;
      equal(now.resolution?.trigger_price, wanted, what);
      if (isMove) moves.push(target);
      seen[isMove ? 'moved' : 'unchanged'] += 1;
      trigger = wanted;
    }
    await probe.settle();
    const reported = probe
      .of('tpsl.watch', 'trail_moved')
      .filter((frame) => frame.data.leg_id === id);
    const prices = reported.map((frame) => frame.data.trigger_price);
    equal(prices.slice(0, moves.length), moves, 'trigger prices of trail_moved');
    const params = { symbol: stage.instrument.symbol };
    await me.call('positions.close', { params, body: {} });
  }
  if (seen.moved === 0 || seen.unchanged === 0) {
    throw new Inconclusive(
      `The trail moved ${seen.moved} times and stood ${seen.unchanged} times.`,
      true,
    );
  }
  return `moved ${seen.moved} times, stood ${seen.unchanged} times, was reached ${seen.ended} times`;
}

async function legOf(stage: Stage, me: Actor, id: string): Promise<Json> {
  const params = { symbol: stage.instrument.symbol };
  const list = accepted(await me.call('positions.legs', { params }), 'the legs');
  return list.items.find((leg: Json) => leg.leg_id === id);
}
