import type { Dialect, InstrumentRecord, Scope, Tier } from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import type { PaperControls } from '../../wire/index.ts';
import type { Actor, RawAsked } from './createActor.ts';
import type { Answer } from './Answer.ts';
import type { StreamProbe } from './createStreamProbe.ts';
import type { Tape } from './createTape.ts';
import type { SilentPointId } from './silentPoints.ts';
import type { Trace } from './Trace.ts';

/** A wallet and a key for one check alone. */
export interface Casting {
  /** USDC; default 100,000. */
  balance?: number;
  scopes?: readonly Scope[];
  tier?: Tier;
  /** An existing connection instead of a new one. */
  wallet?: string;
}

/** A check's note on a silent point. */
export interface Finding {
  point: SilentPointId;
  text: string;
  isAsExpected: boolean;
}

/** Everything that a check works with. */
export interface Stage {
  dialect: Dialect;
  env: Pick<Env, 'clock' | 'timers' | 'random'>;
  trace: Trace;
  isPaper: boolean;
  isReadOnly: boolean;
  /** The key of the run. */
  me: Actor;
  /** A separate wallet and key for the check on a paper service; elsewhere the run's key. */
  actor(casting?: Casting): Promise<Actor>;
  /** Another key on its own wallet; @throws Inconclusive if keys can't be created */
  cast(casting: Casting): Promise<Actor>;
  /** Unsigned requests: outside `/v1`, or without credentials. */
  plain(asked: Omit<RawAsked, 'signing'>): Promise<Answer>;
  stream(actor: Actor, options?: { wallet?: string }): Promise<StreamProbe>;
  /** Reads the first events of `GET /stream/sse`; see {@link readEvents}. */
  events(
    actor: Actor,
    channels: string,
    enough: (text: string) => boolean,
    meanwhile?: () => Promise<unknown>,
  ): Promise<{ status: number; text: string }>;
  /** @throws Inconclusive if there is no replay */
  readonly tape: Tape;
  /** @throws Inconclusive if there are no controls */
  readonly paper: PaperControls;
  /** The instrument that checks trade; @throws Inconclusive if none was listed */
  readonly instrument: InstrumentRecord;
  /** Share of the usual sizes that the instrument's bars can take, at most 1. */
  readonly scale: number;
  readonly instruments: readonly InstrumentRecord[];
  /** A unique string, for idempotency keys and client ids. */
  unique(): string;
  /** Records what the service does at a point that the spec leaves open (DIAL-2). */
  found(point: SilentPointId, text: string, isAsExpected: boolean): void;
  /** The notes so far. */
  readonly findings: readonly Finding[];
}
