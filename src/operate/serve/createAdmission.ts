import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ListenAddress, OperateConfig } from '../../config/index.ts';
import { hostOf, isLoopback } from '../../contract/index.ts';
import { MINUTE_MS } from '../../contract/durations.ts';
import type { RouteFault } from './answer.ts';

/** Who may use a route: everyone who reaches the server, who may read, or who may control the bot. */
export type Access = 'open' | 'read' | 'control';

/** Decides who is served. Tokens are compared in constant time, and nothing of them is ever repeated. */
export interface Admission {
  /** Why a request is refused before its route is looked at; undefined if it is served. */
  refuse(request: IncomingMessage): RouteFault | undefined;
  /** Why a route is refused; undefined if it may be used. */
  refuseRoute(request: IncomingMessage, access: Access): RouteFault | undefined;
  /** Whether a request may read, for a route that shows less to everyone else. */
  mayRead(request: IncomingMessage): boolean;
}

/** Requests a second, and how many may come at once. */
const RATE = 50;
const BURST = 200;
/** Wrong tokens a minute; a typing error is forgiven, a search is not. */
const WRONG_TOKENS = 10;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @param now monotonic milliseconds */
export function createAdmission(
  config: OperateConfig & { listen: ListenAddress },
  now: () => number,
): Admission {
  const { readToken, controlToken, hosts } = config;
  const isLocal = 'socket' in config.listen || isLoopback(config.listen.host);
  const readDigest = readToken === null ? null : digestOf(readToken.reveal());
  const controlDigest = controlToken === null ? null : digestOf(controlToken.reveal());
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  const allowance = createAllowance(now);
  let wrong: number[] = [];

  const isKnownHost = (header: string | undefined): boolean => {
    const host = hostOf(header);
    return host !== undefined && (isLoopback(host) || names.has(host.toLowerCase()));
  };
  /** A page of another site may send a request, but it can't hide where it comes from. */
  const isForeign = ({ headers }: IncomingMessage): boolean => {
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
    const { origin } = headers;
    return origin !== undefined && URL.parse(origin)?.host !== headers.host;
  };
  const tokenOf = ({ headers }: IncomingMessage): Buffer | undefined => {
    const given = /^Bearer ([\x21-\x7e]{1,512})$/.exec(headers.authorization ?? '')?.[1];
    return given === undefined ? undefined : digestOf(given);
  };
  const matches = (given: Buffer | undefined, expected: Buffer | null): boolean =>
    given !== undefined && expected !== null && timingSafeEqual(given, expected);
  const isToken = (given: Buffer | undefined): boolean =>
    matches(given, readDigest) || matches(given, controlDigest);
  const isReader = (given: Buffer | undefined): boolean =>
    readDigest === null ? isLocal : isToken(given);

  function refuseWrong(): RouteFault | undefined {
    wrong = wrong.filter((time) => now() - time < MINUTE_MS);
    return wrong.length < WRONG_TOKENS
      ? undefined
      : {
          status: 429,
          code: 'too_many_wrong_tokens',
          message: 'Too many wrong tokens; wait a minute.',
        };
  }

  return {
    refuse(request) {
      if (!isKnownHost(request.headers.host))
        return {
          status: 403,
          code: 'host_refused',
          message: 'The Host header names another machine; list its name under operate.hosts.',
        };
      if (isForeign(request))
        return { status: 403, code: 'origin_refused', message: 'Other sites are not served.' };
      if (!allowance.take())
        return { status: 429, code: 'rate_limited', message: 'Too many requests; slow down.' };
      return undefined;
    },
    mayRead: (request) => isReader(tokenOf(request)),
    refuseRoute(request, access) {
      if (access === 'open') return undefined;
      if (access === 'control' && controlDigest === null)
        return { status: 404, code: 'not_found', message: 'There is no such route.' };
      const given = tokenOf(request);
      const isAllowed = access === 'read' ? isReader(given) : matches(given, controlDigest);
      if (isAllowed) return undefined;
      const blocked = given === undefined ? undefined : refuseWrong();
      if (blocked !== undefined) return blocked;
      // Who may read but not control has no wrong token; where everyone may read, a guess is wrong all the same.
      if (given !== undefined && !isToken(given)) wrong.push(now());
      const which = access === 'read' ? 'read_token' : 'control_token';
      return {
        status: 401,
        code: 'unauthorized',
        message: `This needs the header "Authorization: Bearer TOKEN", with the ${which}.`,
      };
    },
  };
}

/** A bucket that fills with time. */
function createAllowance(now: () => number): { take(): boolean } {
  let left = BURST;
  let filledAt = now();
  return {
    take() {
      const time = now();
      left = Math.min(BURST, left + ((time - filledAt) / 1_000) * RATE);
      filledAt = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
