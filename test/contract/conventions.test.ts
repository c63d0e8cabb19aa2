import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ALGO_PARAMS,
  ALGOS,
  CHANNELS,
  COMMANDS,
  ENDPOINTS,
  ERROR_CODES,
  EXECUTION_REASONS,
  EXECUTION_STATUSES,
  fillPath,
  INDICATORS,
  INTERVALS,
  LIMITS,
  LIVE_EXECUTIONS,
  splitArgs,
} from '../../src/contract/index.ts';
import { EXTRACTS } from '../data/places.ts';

const page = readFileSync(join(EXTRACTS, 'contract/conventions.md'), 'utf8');

describe('the tables match the conventions', () => {
  const section = (from: string, to: string): string => {
    const start = page.indexOf(from);
    expect(start, from).toBeGreaterThanOrEqual(0);
    return page.slice(start, page.indexOf(to, start + from.length));
  };

  test('ERR-1: every error code, with its status, and no other', () => {
    const rows = section('### Error envelope', '`validation_failed` paths').matchAll(
      /^\| (\d+)(?: \/ (\d+))? \| (.*) \|$/gm,
    );
    const named = new Map<string, number>();
    for (const [, first, second, cells] of rows) {
      const codes = cells!.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '');
      const parts = second === undefined ? [codes] : codes.split(' / ');
      for (const [index, part] of parts.entries()) {
        for (const [, code] of part.matchAll(/`([a-z_]+)`/g)) {
          if (!named.has(code!)) named.set(code!, Number(index === 0 ? first : second));
        }
      }
    }
    const ours = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status] as const);
    const allowed = new Set(['not_found', 'method_not_allowed', 'payload_too_large']);
    allowed.add('unsupported_media_type');
    for (const [code, status] of ours) {
      if (allowed.has(code)) expect(page).toContain(`${status} \`${code}\``);
      else expect(named.get(code), code).toBe(status);
    }
    for (const code of named.keys()) expect(Object.keys(ERROR_CODES), code).toContain(code);
  });

  test('every endpoint of the table of families', () => {
    const table = section('## 3. Endpoints', '### Records');
    const wanted = new Set<string>();
    for (const [, cells] of table.matchAll(/^\| [A-Z][^|]+ \| (.*) \|$/gm)) {
      let prefix: string[] = [];
      for (const [, text] of cells!.matchAll(/`((?:(?:GET|POST|PATCH|PUT|DELETE|\/)[^`]*))`/g)) {
        const match = /^(?:((?:GET|POST|PATCH|PUT|DELETE)) )?(\/\S*)$/.exec(text!);
        if (match?.[1] === undefined && match?.[2] !== undefined && prefix.length > 0) {
          wanted.add(match[2].split('?')[0]!.replace(/\{id\}/, ''));
          continue;
        }
        if (match?.[2] === undefined) continue;
        prefix = [match[2]];
        wanted.add(`${match[1]} ${match[2].split('?')[0]}`);
      }
    }
    const ours = Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${path}`);
    const full = [...wanted].filter((path) => path.includes(' '));
    expect(full.length).toBeGreaterThan(40);
    for (const endpoint of full) expect(ours, endpoint).toContain(endpoint);
  });

  test('STR-6: every command', () => {
    const line = section('- Commands: ', '`args` =');
    const named = [...line.matchAll(/`([a-z_]+)`/g)].map((match) => match[1]);
    expect(Object.keys(COMMANDS).sort()).toEqual(named.sort());
  });

  test('STR-1: every channel and event', () => {
    const table = section('| channel | params | events |', 'Data of `tpsl.watch`');
    for (const [name, { events }] of Object.entries(CHANNELS)) {
      const row = table.split('\n').find((line) => line.startsWith(`| \`${name}\``));
      expect(row, name).toBeDefined();
      for (const event of Object.keys(events)) {
        expect(row, `${name} ${event}`).toContain(`\`${event}\``);
      }
    }
  });

  test('MKT-4: fourteen indicators, with their defaults', () => {
    expect(Object.keys(INDICATORS)).toHaveLength(14);
    const text = section('The fourteen (defaults in brackets', '`atr` is a distance');
    for (const [id, { series, priceSeries }] of Object.entries(INDICATORS)) {
      expect(text, id).toContain(`\`${id}\``);
      expect(text.includes(`\`${id}\`★`), id).toBe(priceSeries.length > 0);
      for (const name of series) if (name !== 'value') expect(text).toContain(`\`${name}\``);
    }
  });

  test('EXE-6: statuses and reasons', () => {
    for (const word of [...EXECUTION_STATUSES, ...EXECUTION_REASONS]) {
      expect(section('## 4. Algorithms', '## 5. Streams')).toContain(`\`${word}\``);
    }
  });

  test('the intervals', () => {
    expect(page).toContain(`Intervals: \`${INTERVALS.join(' ')}\``);
  });
});

test('EXE-1: six algorithms, each with a schema of its params', () => {
  expect(ALGOS).toHaveLength(6);
  for (const algo of ALGOS) expect(ALGO_PARAMS[algo].safeParse(null).success).toBe(false);
});

test('LIM-1: launches weigh 20, reads 1 to 5', () => {
  expect(ENDPOINTS['executions.launch'].weight).toBe(20);
  for (const { method, weight } of Object.values(ENDPOINTS)) {
    if (method === 'GET') expect(weight).toBeLessThanOrEqual(5);
  }
  expect(ENDPOINTS['utility.health'].weight).toBe(0);
});

test('VER-1: every path is below /v1, and none is the dashboard’s', () => {
  for (const { path } of Object.values(ENDPOINTS)) expect(path).not.toMatch(/^\/(api|v1)\b/);
});

test('AUTH-9: no endpoint moves funds out', () => {
  for (const { path } of Object.values(ENDPOINTS)) expect(path).not.toMatch(/withdraw|transfer/);
});

test('ORD-5: a spot symbol stays inside its path segment', () => {
  expect(fillPath('/price/{symbol}', { symbol: 'HYPE/USDC' })).toBe('/price/HYPE%2FUSDC');
  expect(() => fillPath('/price/{symbol}', {})).toThrow('symbol');
});

test('STR-6: a command’s args split into path parameters and the rest', () => {
  expect(splitArgs('modify_order', { id: 'ord_1', price: 5 })).toEqual({
    endpoint: 'orders.modify',
    pathParams: { id: 'ord_1' },
    rest: { price: 5 },
  });
});

test('the limits that the spec states', () => {
  expect(LIMITS).toMatchObject({
    maintainedRows: 20,
    defaultMinMoveBps: 5,
    defaultMaxDriftBps: 500,
    basketLegs: 10,
    basketTemplates: 10,
    staleWarnMs: 30_000,
    stalePauseMs: 300_000,
    clientTimeoutMs: 30_000,
  });
});

test('EXE-6: an execution may trade until it is completed or stopped', () => {
  const ended = ['completed', 'stopped'];
  const live = EXECUTION_STATUSES.filter((status) => !ended.includes(status));
  expect(LIVE_EXECUTIONS).toEqual(live);
  expect(live).toHaveLength(EXECUTION_STATUSES.length - ended.length);
});
