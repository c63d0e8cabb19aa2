import type { Attributes, Span, SpanStatusCode, Tracer } from '@opentelemetry/api';
import type { Cancel, Env } from '../../env/index.ts';
import { symbolOf } from '../../intents/index.ts';
import type { Bot, PipeEvent } from '../../runtime/index.ts';
import { ownVersion } from '../../env/index.ts';

/** Where OpenTelemetry's API has what a program registered: its documented place for all its versions 1. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');
const ERROR: SpanStatusCode.ERROR = 2;
/** The steps after which an intent takes no other. */
const ENDED: readonly string[] = ['denied', 'accepted', 'rejected', 'expired', 'absent'];
/** What an outcome is called among a span's events, where the service or a query has answered. */
const ANSWERS: readonly string[] = ['accepted', 'rejected', 'absent'];

/**
 * A span for each intent of a bot that has not started yet, from `emitted` to its final state, if the process has
 * registered a provider of traces (`node --import`). Without one nothing is loaded, and nothing is followed.
 *
 * @returns to stop; undefined if there is no provider, or no `@opentelemetry/api`
 */
export async function traceIntents(
  bot: Pick<Bot, 'events$'>,
  { clock }: Pick<Env, 'clock'>,
): Promise<Cancel | undefined> {
  const registered = (globalThis as Record<symbol, unknown>)[REGISTERED];
  if ((registered as { trace?: unknown } | undefined)?.trace === undefined) return undefined;
  const api = await import('@opentelemetry/api').catch(() => undefined);
  if (api === undefined) return undefined;
  const spans = createSpans(api.trace.getTracer('trimtab', ownVersion()), () => clock.wallNow());
  const followed = bot.events$.subscribe({
    next: (event) => {
      if (event.kind === 'intent') spans.follow(event.event);
    },
    complete: spans.endAll,
  });
  return () => {
    followed.unsubscribe();
    spans.endAll();
  };
}

function createSpans(tracer: Tracer, now: () => number) {
  /** Of the intents that the pipe holds. */
  const open = new Map<string, Span>();

  const begin = ({ emission, key }: PipeEvent): Span => {
    const { intent, instance, wallet, cause } = emission;
    const attributes: Attributes = {
      'trimtab.strategy': instance,
      'trimtab.wallet': wallet,
      'trimtab.kind': intent.kind,
      'trimtab.symbol': symbolOf(intent),
      'trimtab.key': key,
      'trimtab.cause': cause,
    };
    const span = tracer.startSpan(`intent ${intent.kind}`, { attributes, startTime: now() });
    open.set(key, span);
    return span;
  };

  return {
    follow(event: PipeEvent): void {
      const { state, key, guard, fault, reason, waitsFor, attempt } = event;
      if (state === 'duplicate') return;
      const span = open.get(key) ?? begin(event);
      const time = now();
      span.setAttribute('trimtab.state', state);
      if (guard !== undefined) span.setAttribute('trimtab.guard', guard);
      if (state !== 'emitted') {
        const about: Attributes = {
          ...(attempt > 1 ? { 'trimtab.attempt': attempt } : {}),
          ...(waitsFor === undefined ? {} : { 'trimtab.waits_for': waitsFor }),
          ...(fault === undefined ? {} : { 'trimtab.code': fault.code }),
        };
        span.addEvent(ANSWERS.includes(state) ? 'answered' : state, about, time);
      }
      if (!ENDED.includes(state)) return;
      if (state === 'denied' || state === 'rejected' || state === 'expired')
        span.setStatus({ code: ERROR, message: fault?.message ?? reason ?? state });
      span.end(time);
      open.delete(key);
    },
    /** What has no outcome yet ends with the process, in its last state. */
    endAll(): void {
      for (const span of open.values()) span.end(now());
      open.clear();
    },
  };
}
