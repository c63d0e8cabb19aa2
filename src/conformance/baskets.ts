import { LIMITS } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, refused, refusedField, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import type { Stage } from './kit/Stage.ts';
import { execution, pacemakerTime, priceAt, priceOf, tradeSize } from './kit/trading.ts';

async function leg(stage: Stage, me: Actor): Promise<Json> {
  const { symbol } = stage.instrument;
  const { mark } = await priceOf(stage, me);
  const limit_price = priceAt(stage.instrument, mark, 0.99);
  const total_size = tradeSize(stage, 1_000, mark);
  const params = { duration_seconds: pacemakerTime(stage, 600), slices: 5, limit_price };
  return { algo: 'pacemaker', symbol, side: 'buy', total_size, params };
}

const lifecycle = check(
  'BSK-1',
  'paper',
  'a basket launches its legs, and steers them',
  async (stage) => {
    const me = await stage.actor();
    const one = await leg(stage, me);
    const body = { name: 'ladder', legs: [one, { ...one, total_size: one.total_size * 2 }] };
    const answer = await me.call('baskets.launch', { body });
    const basket = accepted(answer, 'a basket');
    const { weight } = stage.dialect.headers;
    const each = stage.dialect.endpoints['baskets.launch'].weight;
    equal(answer.headers[weight.toLowerCase()], String(each * 2), 'weight of two legs');
    equal([basket.status, basket.legs.length, basket.request], ['running', 2, body], 'the basket');
    const ids = basket.legs.map((row: Json) => row.execution_id);
    const params = { id: basket.basket_id };
    for (const [name, status] of [
      ['pause', 'paused'],
      ['resume', 'running'],
      ['stop', 'stopped'],
    ] as const) {
      const now = accepted(await me.call(`baskets.${name}`, { params }), name);
      equal(now.status, status, `status after ${name}`);
      for (const id of ids) equal((await execution(me, id)).status, status, `leg after ${name}`);
    }
    const read = accepted(await me.call('baskets.get', { params }), 'the basket');
    equal(read.status, 'stopped', 'status of the basket read again');
    const { items } = accepted(await me.call('baskets.list'), 'the baskets');
    equal(
      items.map((row: Json) => row.basket_id),
      [basket.basket_id],
      'baskets of the wallet',
    );
  },
);

const runsWhileAny = check('BSK-1', 'paper', 'a basket runs while any leg runs', async (stage) => {
  const me = await stage.actor();
  const one = await leg(stage, me);
  const basket = accepted(await me.call('baskets.launch', { body: { legs: [one, one] } }));
  const [first, second] = basket.legs.map((row: Json) => row.execution_id);
  const params = { id: basket.basket_id };
  const status = async (): Promise<string> =>
    accepted(await me.call('baskets.get', { params }), 'the basket').status;
  accepted(await me.call('executions.stop', { params: { id: first } }), 'a stop');
  equal(await status(), 'running', 'status with one leg stopped');
  accepted(await me.call('executions.stop', { params: { id: second } }), 'a stop');
  equal(await status(), 'stopped', 'status with both stopped');
});

const size = check('BSK-1', 'write', `at most ${LIMITS.basketLegs} legs`, async (stage) => {
  const me = await stage.actor();
  const one = await leg(stage, me);
  const legs = Array.from({ length: LIMITS.basketLegs + 1 }, () => one);
  const answer = await me.call('baskets.launch', { body: { legs } });
  refused(answer, 422, 'too_many_legs', `${legs.length} legs`);
  refusedField(await me.call('baskets.launch', { body: { legs: [] } }), 'legs');
});

const allOrNothing = check(
  'BSK-1',
  'paper',
  'all legs are checked before any starts',
  async (stage) => {
    const me = await stage.actor();
    const one = await leg(stage, me);
    const bad = { ...one, params: { ...one.params, duration_seconds: pacemakerTime(stage) - 1 } };
    const answer = await me.call('baskets.launch', { body: { legs: [one, bad] } });
    refusedField(answer, 'legs.1.params.duration_seconds');
    const unknown = { ...one, symbol: 'NO-SUCH-SYMBOL' };
    const second = await me.call('baskets.launch', { body: { legs: [one, unknown] } });
    refused(second, 404, 'unknown_symbol', 'a leg on an unknown symbol');
    const { items } = accepted(await me.call('executions.list'), 'the executions');
    equal(items, [], 'executions after two refused baskets');
  },
);

const range = check('BSK-1', 'write', 'price limits lie in the range', async (stage) => {
  const me = await stage.actor();
  const one = await leg(stage, me);
  const low = one.params.limit_price + 1_000;
  const body = { legs: [one], price_range: { low, high: low + 1 } };
  refusedField(await me.call('baskets.launch', { body }), 'legs.0.params.limit_price');
});

const templates = check(
  'BSK-1',
  'paper',
  'templates: kept, launched, at most 10',
  async (stage) => {
    const me = await stage.actor();
    const legs = [await leg(stage, me)];
    const create = (name: string) => me.call('baskets.createTemplate', { body: { name, legs } });
    const made: Json[] = [];
    for (let count = 0; count < LIMITS.basketTemplates; count++) {
      made.push(accepted(await create(`t${count}`), `template ${count + 1}`));
    }
    refused(await create('one more'), 409, 'template_limit', `template ${made.length + 1}`);
    const { items } = accepted(await me.call('baskets.templates'), 'the templates');
    equal(items.length, made.length, 'number of templates');
    const [first] = made;
    const body = { template_id: first.template_id };
    const basket = accepted(await me.call('baskets.launch', { body }), 'a basket of a template');
    equal(basket.template_id, first.template_id, 'template_id of the basket');
    equal(basket.legs.length, 1, 'number of its legs');
    refusedField(await me.call('baskets.launch', { body: { ...body, legs } }), 'legs');
    const params = { id: first.template_id };
    accepted(await me.call('baskets.removeTemplate', { params }), 'a removal');
    accepted(await create('again'), 'a template in the place of the removed one');
    const gone = await me.call('baskets.launch', { body });
    that(gone.status === 404 || gone.status === 422, 'a removed template to be refused', gone.body);
  },
);

export const basketChecks: readonly Check[] = [
  lifecycle,
  runsWhileAny,
  size,
  allOrNothing,
  range,
  templates,
];
