import { atMost, reasonOf, type Cancel, type Env } from '../../env/index.ts';
import type { Exchange, ServiceResponse } from '../../contract/index.ts';
import { readHold } from '../../outcomes/index.ts';
import {
  createBackoff,
  CredentialsError,
  InsufficientScopeError,
  NoAnswerError,
  NotSentError,
  ServiceFaultError,
  UnreadableAnswerError,
} from '../../wire/index.ts';
import { explainBaseUrl } from '../explainBaseUrl.ts';
import type { RunFailure, RunResult } from './RunFailure.ts';

export interface StartReadsOptions {
  env: Pick<Env, 'clock' | 'timers' | 'log' | 'random'>;
  baseUrl: string;
  /** `link.key_id`. */
  keyId: string;
  /** How long to wait for a service that is briefly unavailable (`link.start_retry_seconds`). */
  retrySeconds: number;
  /** Resolves when the user asks to stop. */
  stopped: Promise<void>;
}

/** Sends one request; its errors are the client's. */
export type Ask = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * The signed reads of one start: each waits for a service that is briefly unavailable, all within one
 * limit.
 */
export interface StartReads {
  /**
   * Repeats a read until the service answers it; a read has no effect.
   *
   * @throws the client's last error at the limit, at a stop, or if waiting can't help
   */
  ask: Ask;
  /** Turns an error of `ask` into a failure that names the address and the remedy. */
  toResult<T>(read: () => Promise<RunResult<T>>): Promise<RunResult<T>>;
}

export function createStartReads(options: StartReadsOptions): StartReads {
  const { env, baseUrl, retrySeconds } = options;
  const end = env.clock.monotonicNow() + retrySeconds * 1_000;
  let isStopped = false;
  /** An address that has answered before is right: a refused connection is temporary. */
  let isAddressRight = false;
  void options.stopped.then(() => (isStopped = true));

  /** A read that hangs ends with the start's time, not with that of a request; an answer at the end gets a moment. */
  async function inTime<T>(read: () => Promise<T>): Promise<T> {
    const limitMs = Math.max(end - env.clock.monotonicNow(), LEAST_READ_MS);
    const answer = read().then((value) => ({ value }));
    const given = options.stopped.then(() => undefined);
    const answered = await atMost(env.timers, Promise.race([answer, given]), limitMs);
    if (answered === undefined) throw new SilentService(isStopped ? null : limitMs / 1_000);
    return answered.value;
  }

  return {
    async ask(read) {
      const backoff = createBackoff(env.random);
      for (;;) {
        try {
          const value = await noteSilence(options, () => inTime(read));
          isAddressRight = true;
          return value;
        } catch (error) {
          if (!isPassing(error) && !(isAddressRight && error instanceof NotSentError)) throw error;
          const waitMs = Math.max(
            backoff.next(),
            askedToWaitMs(error, () => env.clock.wallNow()),
          );
          const isOver = env.clock.monotonicNow() + waitMs > end;
          if (isOver || isStopped) throw error;
          const seconds = Math.round(waitMs / 1_000);
          env.log.warn(`The service at ${baseUrl} is not ready; retrying in ${seconds} s`, {
            code: refusal(error, options).code,
            reason: reasonOf(error),
          });
          await waitOr(env, waitMs, options.stopped);
          if (isStopped) throw error;
        }
      }
    },
    async toResult(read) {
      try {
        return await read();
      } catch (error) {
        return { ok: false, failure: refusal(error, options) };
      }
    },
  };
}

/** Of the last read of a start: a service that is up answers within it. */
const LEAST_READ_MS = 5_000;

/** The service had not answered a read when the start's time was over, or at a stop. */
class SilentService extends Error {
  constructor(seconds: number | null) {
    super(
      seconds === null
        ? 'it had not answered when the start was stopped'
        : `no answer within ${Math.round(seconds)} s`,
    );
  }
}

/** A start that is without a line for longer looks like a program that hangs. */
const SILENCE_MS = 5_000;

/** Says while it waits that the service does not answer. */
async function noteSilence<T>(
  { env, baseUrl }: Pick<StartReadsOptions, 'env' | 'baseUrl'>,
  read: () => Promise<T>,
): Promise<T> {
  const cancel = env.timers.after(SILENCE_MS, () =>
    env.log.warn(
      `The service at ${baseUrl} has not answered for ${SILENCE_MS / 1_000} s; still waiting`,
    ),
  );
  try {
    return await read();
  } finally {
    cancel();
  }
}

const statusOf = (error: unknown): number | undefined => {
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' ? status : undefined;
};

function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswerError || error instanceof SilentService) return true;
  const status = statusOf(error);
  return status !== undefined && (status >= 500 || status === 429);
}

function askedToWaitMs(error: unknown, wallNow: () => number): number {
  const exchange = exchangeOf(error);
  return (exchange === undefined ? undefined : readHold(exchange, wallNow)?.forMs) ?? 0;
}

/** The answer that an error of the client stands for, as it came: a gateway's page asks to wait as well. */
function exchangeOf(error: unknown): Exchange | undefined {
  if (error instanceof ServiceFaultError) {
    return { kind: 'answered', response: error.cause as ServiceResponse };
  }
  if (!(error instanceof NoAnswerError)) return undefined;
  const { reason, cause } = error;
  if (!(cause instanceof UnreadableAnswerError)) return undefined;
  const { status, headers, text } = cause;
  return { kind: 'no_answer', reason, unread: { status, headers, isEmpty: text === '' } };
}

/** Also of a gateway's page, which is no answer of the service. */
function answeredStatus(error: unknown): number | undefined {
  const exchange = exchangeOf(error);
  const unread = exchange?.kind === 'no_answer' ? exchange.unread : undefined;
  return unread?.status ?? statusOf(error);
}

/** For a status that comes without the service's own code. */
const REMEDIES: Readonly<Record<number, string>> = {
  401: 'The key may be wrong (link.key_id, link.secret), or a proxy on the way, which is not the service, wants credentials of its own.',
  403: 'The key may lack a right, or something on the way refuses this machine: does the service or its proxy allow this address?',
  407: 'A proxy on the way wants credentials: reach the service without it.',
};

function remedyOf(error: unknown): string {
  const status = answeredStatus(error);
  const ofStatus = status === undefined ? undefined : REMEDIES[status];
  return ofStatus ?? 'Is the service up, and link.base_url right?';
}

/** A defect of the program itself is rethrown. */
function refusal(
  error: unknown,
  { baseUrl, keyId }: Pick<StartReadsOptions, 'baseUrl' | 'keyId'>,
): RunFailure {
  if (error instanceof CredentialsError) {
    const remedy =
      error.code === 'timestamp_out_of_window'
        ? 'Set the clock of this machine by a time service (NTP); trimtab doctor says how far it is off.'
        : 'Do link.key_id and link.secret belong together? Is the clock of this machine right?';
    const message = `The service refused the key of this configuration: ${error.message}\n  ${remedy}`;
    return { code: 'TRIMTAB_SERVICE_KEY_REFUSED', message };
  }
  if (error instanceof InsufficientScopeError) {
    const message =
      `The key ${keyId} (link.key_id) lacks the scope ${error.requiredScope ?? 'read'}: ${error.message}\n` +
      '  A bot needs the scopes read and trade, and algo for executions, monitors and baskets. Give the key the scope at the\n' +
      '  service, or name another key.';
    return { code: 'TRIMTAB_SERVICE_KEY_REFUSED', message };
  }
  const isSilent = [NotSentError, NoAnswerError, SilentService].some((one) => error instanceof one);
  if (!isSilent && statusOf(error) === undefined) throw error;
  const what =
    isSilent || isPassing(error) ? 'does not answer' : 'gave no usable response during the start';
  const message =
    `The service at ${baseUrl} ${what}: ${reasonOf(error)}\n` +
    `  ${explainBaseUrl(baseUrl) ?? remedyOf(error)}`;
  return { code: 'TRIMTAB_SERVICE_UNREACHABLE', message };
}

/** A stop does not wait for it. */
function waitOr(
  { timers }: Pick<Env, 'timers'>,
  waitMs: number,
  stopped: Promise<void>,
): Promise<void> {
  return new Promise((resolve) => {
    const cancel: Cancel = timers.after(waitMs, resolve);
    void stopped.then(() => {
      cancel();
      resolve();
    });
  });
}
