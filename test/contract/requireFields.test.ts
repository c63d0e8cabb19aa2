import { Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import * as conformance from '../../src/conformance.ts';
import * as index from '../../src/index.ts';
import * as postgres from '../../src/postgres.ts';
import * as service from '../../src/service.ts';
import * as testing from '../../src/testing.ts';

const VALUES = [undefined, null, {}, 42, '', [], () => {}];
/** Of the engine, of zod, or of a service that was sent what is none. */
const RAW =
  /Cannot (?:read|destructure|convert|set|use)|is not (?:a function|iterable|a constructor)|internal error|intermediate value|The "\w+" argument/i;
/** Pure functions of a hot path, whose second argument types alone demand, and what only passes a schema on. */
const UNCHECKED = new Set(
  'isValidPrice isValidSize toValidPrice toValidSize checkShape createDialect'.split(' '),
);

type Any = (...given: unknown[]) => unknown;
const entries = { index, testing, service, conformance, postgres };
const functions = Object.entries(entries).flatMap(([entry, exported]) =>
  Object.entries(exported as Record<string, unknown>).flatMap(([name, value]) =>
    typeof value === 'function' && !/^class\b/.test(String(value)) && !UNCHECKED.has(name)
      ? [[`${entry}.${name}`, value as Any] as const]
      : [],
  ),
);

describe('a program without types', () => {
  test.each(functions)('%s refuses what is none in words of its own', async (_name, call) => {
    for (const value of VALUES) {
      const error = await attempt(call, value);
      if (error === undefined) continue;
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).not.toMatch(RAW);
      expect((error as Error).name).not.toMatch(/Zod/);
    }
  });
});

/** What a call throws or rejects with, if it does; what it opens is closed. */
async function attempt(call: Any, value: unknown): Promise<unknown> {
  try {
    const given = call(value);
    if (given instanceof Observable) return undefined;
    const result: unknown = await given;
    const { close } = (result ?? {}) as { close?: () => unknown };
    if (typeof close === 'function') await close();
    return undefined;
  } catch (error) {
    return error;
  }
}
