/** Who is admitted, against the rules as the documents say them, in virtual time. */
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secret } from '../../../src/config/index.ts';
import { createAdmission, type Access } from '../../../src/operate/serve/createAdmission.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const READ = 'read-token-0123456789';
const CONTROL = 'control-token-0123456789';
const HOSTS = ['bot.example.org', 'Second.example.org'];
const WRONG_A_MINUTE = 10;

const ask = fc.record({
  wait: fc.constantFrom(0, 0, 0, 500, 20_000, 59_999, 60_000),
  /** Several at once. */
  times: fc.constantFrom(1, 1, 1, 1, 1, 3, 3, 12, 12, 12, 230),
  access: fc.constantFrom<Access[]>('open', 'read', 'control'),
  authorization: fc.constantFrom(
    undefined,
    `Bearer ${READ}`,
    `Bearer ${CONTROL}`,
    'Bearer guess',
    'Bearer guess',
    `Basic ${READ}`,
    `bearer ${READ}`,
    READ,
  ),
  host: fc.constantFrom(
    'localhost:9464',
    '127.0.0.1:9464',
    'bot.example.org',
    'SECOND.example.org:9464',
    'evil.example',
    undefined,
  ),
  site: fc.constantFrom(undefined, undefined, 'same-origin', 'none', 'same-site', 'cross-site'),
  origin: fc.constantFrom<Array<string | undefined>>(
    undefined,
    undefined,
    'own',
    'http://evil.example',
  ),
});
const drawn = fc.record({
  isLocal: fc.boolean(),
  hasRead: fc.boolean(),
  hasControl: fc.boolean(),
  asks: fc.array(ask, { minLength: 3, maxLength: 15 }),
});

test('only who may is admitted, and a search for tokens is slowed down', async () => {
  const tried = new Tried();
  await holdLaw(40, drawn, ({ isLocal, hasRead, hasControl, asks }) => {
    let now = 1_000_000;
    const admission = createAdmission(
      {
        listen: isLocal ? { host: '127.0.0.1', port: 9464 } : { host: '10.0.0.1', port: 9464 },
        hosts: HOSTS,
        readToken: hasRead ? new Secret(READ) : null,
        controlToken: hasControl ? new Secret(CONTROL) : null,
        notify: null,
      },
      () => now,
    );
    const wrong: number[] = [];
    let [left, filledAt] = [200, now];
    for (const { wait, times, access, authorization, host, site, origin } of asks) {
      now += wait;
      // A browser writes a host in small letters.
      const isOwn = origin === 'own' && host !== undefined && host === host.toLowerCase();
      const from = origin === 'own' ? (isOwn ? `http://${host}` : undefined) : origin;
      const headers = {
        ...(host !== undefined && { host }),
        ...(authorization !== undefined && { authorization }),
        ...(site !== undefined && { 'sec-fetch-site': site }),
        ...(from !== undefined && { origin: from }),
      };
      const request = { headers } as unknown as IncomingMessage;
      for (let time = 0; time < times; time++) {
        const isKnown = host !== undefined && host !== 'evil.example';
        const isForeign =
          ['same-site', 'cross-site'].includes(site ?? '') || origin === 'http://evil.example';
        const refused = admission.refuse(request)?.code;
        if (!isKnown || isForeign) {
          expect(refused).toBe(isKnown ? 'origin_refused' : 'host_refused');
          continue;
        }
        left = Math.min(200, left + ((now - filledAt) / 1_000) * 50);
        filledAt = now;
        if (left < 1) {
          expect(refused).toBe('rate_limited');
          tried.take('too many');
          continue;
        }
        left -= 1;
        expect(refused).toBeUndefined();
        const given = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
        const isControl = hasControl && given === CONTROL;
        const isReader = hasRead ? given === READ || isControl : isLocal;
        expect(admission.mayRead(request)).toBe(isReader);
        const denied = admission.refuseRoute(request, access)?.status;
        const isAllowed = access === 'open' || (access === 'read' ? isReader : isControl);
        const recent = wrong.filter((at) => now - at < 60_000).length;
        if (access === 'control' && !hasControl) expect(denied).toBe(404);
        else if (isAllowed) expect(denied).toBeUndefined();
        else if (given !== undefined && recent >= WRONG_A_MINUTE) {
          expect(denied).toBe(429);
          expect(admission.refuseRoute(request, access)?.code).toBe('too_many_wrong_tokens');
          tried.take('blocked');
        } else {
          expect(denied).toBe(401);
          const isToken = isControl || (hasRead && given === READ);
          if (given !== undefined && !isToken) wrong.push(now);
          tried.take(isReader ? 'reads only' : 'unknown');
        }
      }
    }
  });
  if (isFull) expect(tried.rare(['too many', 'blocked', 'reads only', 'unknown'], 1)).toEqual([]);
});

test.each([
  ['those who have none', new Secret(READ)],
  ['who guesses where everyone may read', null],
])('ten wrong tokens close the door for a minute, for %s', (_whom, readToken) => {
  let now = 5_000;
  const admission = createAdmission(
    {
      listen: { host: '127.0.0.1', port: 9464 },
      hosts: [],
      readToken,
      controlToken: new Secret(CONTROL),
      notify: null,
    },
    () => now,
  );
  const statusOf = (token: string): number | undefined => {
    const headers = { host: 'localhost', authorization: `Bearer ${token}` };
    return admission.refuseRoute({ headers } as unknown as IncomingMessage, 'control')?.status;
  };
  for (let round = 0; round < 3; round++) {
    const begun = now;
    // Who may read but not control has no wrong token.
    const tries = readToken === null ? ['guess', ''] : ['guess', READ];
    for (let at = 0; at < 2 * WRONG_A_MINUTE - 1; at++) expect(statusOf(tries[at % 2]!)).toBe(401);
    expect([statusOf('guess'), statusOf(CONTROL)]).toEqual([429, undefined]);
    now = begun + 59_999;
    expect(statusOf('guess')).toBe(429);
    now = begun + 60_000;
  }
});

test('at most two hundred requests at once, and then one in twenty milliseconds', async () => {
  const waits = fc.array(fc.constantFrom(1, 7, 10, 19, 20, 21, 45), {
    minLength: 5,
    maxLength: 40,
  });
  await holdLaw(50, waits, (steps) => {
    let now = 1_000_000;
    const admission = createAdmission(
      {
        listen: { host: '127.0.0.1', port: 9464 },
        hosts: HOSTS,
        readToken: null,
        controlToken: null,
        notify: null,
      },
      () => now,
    );
    const request = { headers: { host: 'localhost:9464' } } as unknown as IncomingMessage;
    for (let at = 0; at < 200; at++) expect(admission.refuse(request)).toBeUndefined();
    // In whole milliseconds, of which one request takes twenty.
    let leftMs = 0;
    for (const wait of steps) {
      now += wait;
      leftMs += wait;
      const isAdmitted = leftMs >= 20;
      if (isAdmitted) leftMs -= 20;
      // Where a sum of doubles may be just below a whole request, either is right.
      if (leftMs !== 0) expect(admission.refuse(request) === undefined).toBe(isAdmitted);
      else if (admission.refuse(request) !== undefined) return;
    }
  });
});
