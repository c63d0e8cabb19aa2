import type { Dispatcher } from 'undici';
import type { Exchange, UnreadResponse } from '../contract/exchange.ts';
import { readAnswer } from './readAnswer.ts';

type Controller = Dispatcher.DispatchController;
type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Follows one dispatched request to its outcome. undici calls `onRequestStart` right before it writes
 * the first byte and never earlier, so whatever fails before that call was certainly not sent, and
 * whatever fails after it may have been executed.
 */
export class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly exchange: Promise<Exchange>;
  readonly #resolve: (exchange: Exchange) => void;
  readonly #reject: (error: Error) => void;
  readonly #maxBytes: number;
  #controller: Controller | null = null;
  #settled = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
    this.exchange = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#maxBytes = maxBytes;
  }

  /** Ends the wait: for the caller at once, on the wire as soon as there is something to abort. */
  giveUp(reason: string): void {
    this.#fail(reason);
    this.#controller?.abort(new Error(reason));
  }

  onRequestStart(controller: Controller): void {
    // After a reset undici may queue a request again by itself; a second write is the framework's decision.
    if (this.#controller !== null) this.#fail('connection_lost');
    this.#controller ??= controller;
    if (this.#settled) controller.abort(new Error('The request was aborted.'));
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHeaders): void {
    // Also called for each informational answer; the last call is the final answer.
    this.#status = status;
    this.#headers = flatten(headers);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.giveUp('body_too_large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks, this.#bytes);
    this.#settle(readAnswer({ status: this.#status, headers: this.#headers, body }));
  }

  onResponseError(_controller: Controller | null, error: Error & { code?: string }): void {
    if (error.code === 'UND_ERR_INVALID_ARG') this.#refuse(error);
    else this.#fail(this.#controller === null ? 'not_connected' : 'connection_lost', error);
  }

  #fail(reason: string, cause?: unknown): void {
    const ended = cause === undefined ? { reason } : { reason, cause };
    if (this.#controller === null) return this.#settle({ kind: 'not_sent', ...ended });
    this.#settle({ kind: 'no_answer', ...ended, ...this.#unread() });
  }

  /** A body that never ended: its head may ask to wait all the same. */
  #unread(): { unread?: UnreadResponse } {
    if (this.#status < 200) return {};
    return { unread: { status: this.#status, headers: this.#headers, isEmpty: this.#bytes === 0 } };
  }

  #settle(exchange: Exchange): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#chunks = [];
    this.#resolve(exchange);
  }

  /** A header or path that can't be written is a programming error, not an outcome. */
  #refuse(error: Error): void {
    this.#settled = true;
    this.#reject(error);
  }
}

function flatten(headers: IncomingHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
