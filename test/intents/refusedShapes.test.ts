import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  basketRequest,
  checkShape,
  closePositionRequest,
  entryLeg,
  executeRequest,
  modifyOrderRequest,
  monitorRequest,
  orderRequest,
  positionLeg,
  tpslRequest,
} from '../../src/contract/index.ts';

/**
 * What the service refuses for its shape, twice over: each `refused` row must fail to compile, for
 * the reason named in brackets, and must be refused at run time with the service's code.
 * `taken` rows are their valid counterparts and differ in the refused point only.
 */
interface Row {
  name: string;
  schema: z.ZodType;
  value: unknown;
  code?: string;
  path?: string;
}
const rows: Row[] = [];
function taken<T>(name: string, schema: z.ZodType<T>, value: NoInfer<T>): void {
  rows.push({ name, schema, value });
}
type Refusal = [clause: string, code: string, path: string];
function refused<T>([name, code, path]: Refusal, schema: z.ZodType<T>, value: NoInfer<T>): void {
  rows.push({ name, schema, value, code, path });
}

const order = { symbol: 'BTC', side: 'buy', size: 0.5 } as const;
const launch = { symbol: 'BTC', side: 'buy', total_size: 0.5 } as const;
const ema = { indicator: 'ema', params: { period: 50 }, interval: '1h' } as const;
const atr = { indicator: 'atr', params: { period: 14 }, interval: '1h' } as const;
const rsi = { indicator: 'rsi', params: { period: 14 }, interval: '1h' } as const;
const pacemaker = {
  exit_style: 'algo_unwind',
  unwind_algo: 'pacemaker',
  unwind_params: { duration_seconds: 300 },
} as const;
const basketLeg = { algo: 'pacemaker', ...launch, params: { duration_seconds: 600 } } as const;
const ghostsweep = { exit_style: 'algo_unwind', unwind_algo: 'ghostsweep' } as const;

// prettier-ignore
{
taken('an `at` leg unwinds by Pacemaker', positionLeg, { at: ema, ...pacemaker });
taken('a price leg unwinds by GhostSweep', positionLeg, { price: 61_000, ...ghostsweep });
// @ts-expect-error [at]
refused(['LEG-9: GhostSweep cannot serve an `at` leg', 'unwind_cannot_serve_level', 'at'], positionLeg, { at: ema, ...ghostsweep });

taken('a trail exits natively', positionLeg, { trail: { pct: 2, interval: '5m' }, exit_style: 'native' });
// @ts-expect-error [trail]
refused(['LEG-9: a trail cannot unwind', 'trail_cannot_unwind', 'trail'], positionLeg, { trail: { pct: 2, interval: '5m' }, ...pacemaker });

// @ts-expect-error [unwind_algo]
refused(['LEG-5: FlowScale cannot unwind', 'unsupported_unwind_algo', 'unwind_algo'], positionLeg, { price: 61_000, exit_style: 'algo_unwind', unwind_algo: 'flowscale' });
// @ts-expect-error [unwind_algo]
refused(['LEG-5: an unwind names its algorithm', 'validation_failed', 'unwind_algo'], positionLeg, { price: 61_000, exit_style: 'algo_unwind' });
// @ts-expect-error [duration_seconds]
refused(['LEG-5: a Pacemaker unwind needs its duration', 'validation_failed', 'unwind_params.duration_seconds'], positionLeg, { price: 61_000, exit_style: 'algo_unwind', unwind_algo: 'pacemaker', unwind_params: {} });
taken('Smart Exit unwinds with its patience', positionLeg, { price: 61_000, exit_style: 'algo_unwind', unwind_algo: 'smartexit', unwind_params: { patience_seconds: 10 } });
// @ts-expect-error [patience_seconds]
refused(['LEG-5: an unwind takes its own params only', 'validation_failed', 'unwind_params.patience_seconds'], positionLeg, { price: 61_000, ...pacemaker, unwind_params: { duration_seconds: 300, patience_seconds: 10 } });
// @ts-expect-error [unwind_algo]
refused(['LEG-5: unwind_algo needs algo_unwind', 'validation_failed', 'unwind_algo'], positionLeg, { price: 61_000, unwind_algo: 'pacemaker' });

taken('an order\'s leg is native', entryLeg, { price: 61_000 });
// @ts-expect-error [exit_style]
refused(['LEG-5: algo_unwind is for the position surface', 'validation_failed', 'exit_style'], entryLeg, { price: 61_000, ...pacemaker });

taken('one form: an offset', entryLeg, { offset: { mult: 2, ...atr } });
// @ts-expect-error [price]
refused(['LEG-1: a leg has one form', 'validation_failed', ''], entryLeg, { price: 61_000, offset: { mult: 2, ...atr } });
// @ts-expect-error [EntryLeg]
refused(['LEG-1: a leg has a form', 'validation_failed', ''], entryLeg, {});
taken('an offset by a price-dimensioned line', entryLeg, { offset: { mult: 0.01, ...ema } });
// @ts-expect-error [indicator]
refused(['LEG-2: an oscillator is no distance', 'oscillator_level', 'offset.indicator'], entryLeg, { offset: { mult: 2, ...rsi } });

taken('an `at` leg on a moving average', entryLeg, { at: ema });
// @ts-expect-error [indicator]
refused(['LEG-3: an oscillator is no level', 'oscillator_level', 'at.indicator'], entryLeg, { at: rsi });
// @ts-expect-error [indicator]
refused(['LEG-3: ATR is a distance, not a level', 'oscillator_level', 'at.indicator'], entryLeg, { at: atr });

taken('a distance trail on ATR', entryLeg, { trail: { ...atr, mult: 3 } });
// @ts-expect-error [mult]
refused(['LEG-4: a distance trail takes ATR only', 'validation_failed', 'trail.indicator'], entryLeg, { trail: { ...ema, mult: 3 } });
taken('a level trail', entryLeg, { trail: ema });
// @ts-expect-error [indicator]
refused(['LEG-4: an oscillator cannot lead a level trail', 'oscillator_level', 'trail.indicator'], entryLeg, { trail: rsi });
// @ts-expect-error [mult]
refused(['LEG-4: an ATR trail needs its mult', 'oscillator_level', 'trail.indicator'], entryLeg, { trail: atr });
taken('a percentage trail', entryLeg, { trail: { pct: 1.5, interval: '5m' } });
// @ts-expect-error [pct]
refused(['LEG-4: a percentage trail reads no indicator', 'validation_failed', 'trail.indicator'], entryLeg, { trail: { pct: 1.5, ...ema } });
// @ts-expect-error [interval]
refused(['LEG-4: a percentage trail names its interval', 'validation_failed', 'trail.interval'], entryLeg, { trail: { pct: 1.5 } });
taken('min_move_bps beside the trail', entryLeg, { trail: { pct: 1.5, interval: '5m' }, min_move_bps: 10 });
// @ts-expect-error [min_move_bps]
refused(['LEG-5: min_move_bps belongs to a trail', 'validation_failed', 'min_move_bps'], entryLeg, { price: 61_000, min_move_bps: 10 });
// @ts-expect-error [min_move_bps]
refused(['LEG-5: min_move_bps stands once', 'validation_failed', 'min_move_bps'], entryLeg, { trail: { pct: 1.5, interval: '5m', min_move_bps: 5 }, min_move_bps: 10 });

taken('a band names its line', entryLeg, { at: { indicator: 'bollinger', series: 'upper', interval: '1h' } });
// @ts-expect-error [series]
refused(['LEG-6: a band without its line', 'validation_failed', 'at.series'], entryLeg, { at: { indicator: 'bollinger', interval: '1h' } });
// @ts-expect-error [series]
refused(['LEG-6: a line that a band has not', 'validation_failed', 'at.series'], entryLeg, { at: { indicator: 'bollinger', series: 'middle', interval: '1h' } });
// @ts-expect-error [std_dev]
refused(['LEG-2: a parameter of another indicator', 'validation_failed', 'at.params.std_dev'], entryLeg, { at: { indicator: 'ema', params: { std_dev: 2 }, interval: '1h' } });
// @ts-expect-error [interval]
refused(['LEG-3: a level needs its interval', 'validation_failed', 'at.interval'], entryLeg, { at: { indicator: 'ema' } });

taken('a limit order', orderRequest, { ...order, order_type: 'limit', price: 60_000 });
taken('a tracked order', orderRequest, { ...order, order_type: 'limit', price_from: { ...ema, track: true, max_drift_bps: 100 } });
// @ts-expect-error [price]
refused(['ORD-1: price or price_from, not both', 'validation_failed', 'price_from'], orderRequest, { ...order, order_type: 'limit', price: 60_000, price_from: ema });
// @ts-expect-error [price]
refused(['ORD-1: a limit order has a price', 'validation_failed', 'price'], orderRequest, { ...order, order_type: 'limit' });
// @ts-expect-error [price]
refused(['ORD-1: a market order has none', 'validation_failed', 'price'], orderRequest, { ...order, order_type: 'market', price: 60_000 });
// @ts-expect-error [slippage_bps]
refused(['ORD-1: slippage_bps is for market orders', 'validation_failed', 'slippage_bps'], orderRequest, { ...order, order_type: 'limit', price: 60_000, slippage_bps: 20 });
// @ts-expect-error [time_in_force]
refused(['TRK-1: a level-priced entry rests, ioc never does', 'validation_failed', 'time_in_force'], orderRequest, { ...order, order_type: 'limit', price_from: ema, time_in_force: 'ioc' });
// @ts-expect-error [indicator]
refused(['TRK-1: an oscillator prices no entry', 'oscillator_level', 'price_from.indicator'], orderRequest, { ...order, order_type: 'limit', price_from: rsi });
// @ts-expect-error [max_drift_bps]
refused(['TRK-4: a drift needs tracking', 'validation_failed', 'price_from.max_drift_bps'], orderRequest, { ...order, order_type: 'limit', price_from: { ...ema, max_drift_bps: 100 } });
// @ts-expect-error [sise]
refused(['RULE-1: an unknown field', 'validation_failed', 'sise'], orderRequest, { ...order, order_type: 'limit', price: 60_000, sise: 1 });
taken('a modify by price', modifyOrderRequest, { price: 60_100 });
// @ts-expect-error [ModifyOrderRequest]
refused(['ORD-4: a modify changes something', 'validation_failed', ''], modifyOrderRequest, {});

taken('a fixed trigger with an absolute sweep limit', executeRequest, { algo: 'ghostsweep', ...launch, params: { trigger_price: 62_000 }, sweep_limit: 62_500 });
taken('a level read once with an absolute sweep limit', executeRequest, { algo: 'ghostsweep', ...launch, trigger_from: ema, sweep_limit: 62_500 });
taken('a tracked trigger with a relative sweep limit', executeRequest, { algo: 'ghostsweep', ...launch, trigger_from: { ...ema, track: true }, sweep_limit_bps: 30 });
// @ts-expect-error [sweep_limit]
refused(['EXE-4: a tracked trigger takes no absolute limit', 'absolute_sweep_limit_on_tracked_trigger', 'sweep_limit'], executeRequest, { algo: 'ghostsweep', ...launch, trigger_from: { ...ema, track: true }, sweep_limit: 62_500 });
// @ts-expect-error [sweep_limit_bps]
refused(['EXE-2: one sweep limit, not both', 'validation_failed', 'sweep_limit_bps'], executeRequest, { algo: 'ghostsweep', ...launch, params: { trigger_price: 62_000 }, sweep_limit: 62_500, sweep_limit_bps: 30 });
// @ts-expect-error [trigger]
refused(['EXE-2: one trigger, not both', 'validation_failed', 'trigger_from'], executeRequest, { algo: 'ghostsweep', ...launch, params: { trigger_price: 62_000 }, trigger_from: ema });
// @ts-expect-error [trigger]
refused(['EXE-2: GhostSweep needs a trigger', 'validation_failed', 'params.trigger_price'], executeRequest, { algo: 'ghostsweep', ...launch });
// @ts-expect-error [indicator]
refused(['TRK-1: an oscillator is no trigger', 'oscillator_level', 'trigger_from.indicator'], executeRequest, { algo: 'ghostsweep', ...launch, trigger_from: rsi });
taken('Pacemaker', executeRequest, { algo: 'pacemaker', ...launch, params: { duration_seconds: 600 } });
// @ts-expect-error [trigger_from]
refused(['EXE-2: trigger_from is GhostSweep\'s', 'validation_failed', 'trigger_from'], executeRequest, { algo: 'pacemaker', ...launch, params: { duration_seconds: 600 }, trigger_from: ema });
// @ts-expect-error [exit_style]
refused(['LEG-5: a launch\'s leg is native', 'validation_failed', 'stop_loss.exit_style'], executeRequest, { algo: 'pacemaker', ...launch, params: { duration_seconds: 600 }, stop_loss: { price: 59_000, ...pacemaker } });
// @ts-expect-error [params]
refused(['EXE-2: Pacemaker needs its params', 'validation_failed', 'params.duration_seconds'], executeRequest, { algo: 'pacemaker', ...launch });
// @ts-expect-error [participation]
refused(['EXE-2: params of another algorithm', 'validation_failed', 'params.participation'], executeRequest, { algo: 'pacemaker', ...launch, params: { duration_seconds: 600, participation: 0.1 } });
taken('Glidemaker with a tracked limit', executeRequest, { algo: 'glidemaker', ...launch, params: { strategy: 'passive', limit_price_from: { ...ema, track: true } } });
// @ts-expect-error [limit_price]
refused(['EXE-5: Glidemaker has a limit', 'validation_failed', 'params.limit_price'], executeRequest, { algo: 'glidemaker', ...launch, params: { strategy: 'passive' } });
// @ts-expect-error [limit_price]
refused(['EXE-5: one limit, not both', 'validation_failed', 'params.limit_price_from'], executeRequest, { algo: 'glidemaker', ...launch, params: { strategy: 'passive', limit_price: 60_000, limit_price_from: ema } });
// @ts-expect-error [indicator]
refused(['EXE-5: an oscillator limits no price', 'oscillator_level', 'params.limit_price_from.indicator'], executeRequest, { algo: 'glidemaker', ...launch, params: { strategy: 'passive', limit_price_from: rsi } });
taken('Smart Exit reduces only', executeRequest, { algo: 'smartexit', ...launch, reduce_only: true, params: { stop_price_from: ema } });
// @ts-expect-error [reduce_only]
refused(['EXE-1: Smart Exit without reduce_only', 'validation_failed', 'reduce_only'], executeRequest, { algo: 'smartexit', ...launch, params: { stop_price_from: ema } });
// @ts-expect-error [reduce_only]
refused(['EXE-1: Smart Exit with reduce_only false', 'validation_failed', 'reduce_only'], executeRequest, { algo: 'smartexit', ...launch, reduce_only: false, params: { stop_price_from: ema } });
// @ts-expect-error [indicator]
refused(['EXE-5: an oscillator stops nothing', 'oscillator_level', 'params.stop_price_from.indicator'], executeRequest, { algo: 'smartexit', ...launch, reduce_only: true, params: { stop_price_from: rsi } });

taken('one attached leg', tpslRequest, { stop_loss: { price: 59_000 } });
// @ts-expect-error [TpslRequest]
refused(['POS-2: an attach has a leg', 'validation_failed', ''], tpslRequest, {});
taken('a close by algorithm', closePositionRequest, { algo: 'pacemaker', params: { duration_seconds: 600 } });
// @ts-expect-error [slippage_bps]
refused(['POS-1: a close by algorithm takes no slippage', 'validation_failed', 'slippage_bps'], closePositionRequest, { algo: 'pacemaker', params: { duration_seconds: 600 }, slippage_bps: 20 });
// @ts-expect-error [params]
refused(['POS-1: params need their algorithm', 'validation_failed', 'params'], closePositionRequest, { params: { duration_seconds: 600 } });
// @ts-expect-error [GhostSweepParams]
refused(['POS-1: a close by GhostSweep needs its trigger, for it can read none', 'validation_failed', 'params.trigger_price'], closePositionRequest, { algo: 'ghostsweep', params: {} });

taken('a monitor at a level', monitorRequest, { trigger: { type: 'indicator_level', symbol: 'BTC', direction: 'above', ...ema }, action: { type: 'order', request: { ...order, order_type: 'market' } } });
// @ts-expect-error [indicator]
refused(['MON-1: a monitor on an oscillator', 'oscillator_level', 'trigger.indicator'], monitorRequest, { trigger: { type: 'indicator_level', symbol: 'BTC', direction: 'above', ...rsi }, action: { type: 'order', request: { ...order, order_type: 'market' } } });
taken('a basket of legs', basketRequest, { legs: [basketLeg] });
// @ts-expect-error [template_id]
refused(['BSK-1: legs or a template, not both', 'validation_failed', 'legs'], basketRequest, { legs: [basketLeg], template_id: 'tpl_1' });
}

describe('at run time', () => {
  test.each(rows)('$name', ({ schema, value, code, path }) => {
    const result = checkShape(schema, value);
    if (code === undefined) return expect(result).toEqual({ ok: true, value });
    if (result.ok) throw new Error('It was taken.');
    expect(result.fault.code).toBe(code);
    expect(result.fault.details.fields.map((field) => field.path)).toContain(path);
  });
});

describe('at compile time', () => {
  const root = resolve(import.meta.dirname, '../..');

  /** The compiler's complaints about this file without its directives, by line. */
  function complaints(): Map<number, string> {
    const folder = mkdtempSync(join(tmpdir(), 'trimtab-types-'));
    const source = readFileSync(import.meta.filename, 'utf8')
      .replaceAll(/@ts-expect-(?=error)/g, 'no-')
      .replace("'../../src/", `'${root}/src/`);
    const config = {
      extends: `${root}/tsconfig.json`,
      compilerOptions: {
        typeRoots: [`${root}/node_modules/@types`],
        rewriteRelativeImportExtensions: false,
      },
      include: [],
      files: ['rows.mts'],
    };
    writeFileSync(join(folder, 'rows.mts'), source);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    return byLine(stdout, source.split('\n'));
  }

  /** Each complaint with the source that it points at, which names the property where the text doesn't. */
  function byLine(output: string, source: string[]): Map<number, string> {
    const found = new Map<number, string>();
    for (const complaint of output.split(/\n(?=\S)/)) {
      const [, line = '0', column = '0'] = /rows\.mts\((\d+),(\d+)\)/.exec(complaint) ?? [];
      const at = (source[Number(line) - 1] ?? '').slice(Number(column) - 1).split(':')[0];
      found.set(Number(line), `${found.get(Number(line)) ?? ''}${complaint} at ${at}\n`);
    }
    return found;
  }

  test('each refused row fails for its own reason, and nothing else fails', () => {
    const found = complaints();
    const lines = readFileSync(import.meta.filename, 'utf8').split('\n');
    const expected = lines.flatMap((line, index) => {
      const reason = /^\/\/ @ts-expect-error \[(\w+)\]/.exec(line)?.[1];
      return reason === undefined ? [] : [{ line: index + 2, reason }];
    });
    expect(expected).toHaveLength(rows.filter((row) => row.code !== undefined).length);
    const wrong = expected.filter(({ line, reason }) => !found.get(line)?.includes(reason));
    expect(wrong.map(({ line, reason }) => ({ reason, said: found.get(line) }))).toEqual([]);
    expect([...found.keys()].toSorted((a, b) => a - b)).toEqual(expected.map(({ line }) => line));
  }, 60_000);
});
