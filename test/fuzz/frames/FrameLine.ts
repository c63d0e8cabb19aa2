import type { Draw } from '../Draw.ts';
import { isFrameBySchema } from './isFrameBySchema.ts';
import { spoilText } from './spoilText.ts';

/** A frame after the network's faults. */
export type Delivery =
  | { kind: 'frame' | 'malformed'; text: string }
  /** Bytes that are not valid UTF-8: the connection ends. */
  | { kind: 'broken' };

const REMEMBERED = 40;
const RATES = { lost: 0.02, twice: 0.03, late: 0.03, spoiled: 0.06, again: 0.01, noise: 0.01 };
const NOISE = [
  '{"type":"ack","id":"none","channel":"candles"}',
  '{"type":"result","id":"none","ok":true,"data":{}}',
  '{"type":"error","id":"none","error":{"code":"internal","message":"?"}}',
  '{"channel":"unheard.of","params":{},"event":"x","wallet":"main","seq":1,"ts":1,"data":{}}',
  '{"channel":"candles","params":{"symbol":"NONE"},"event":"bar_closed","wallet":"main","seq":7,"ts":9,"data":{}}',
  '{"channel":"account.state","params":{"wallet":"other"},"event":"balance","wallet":"other","seq":3,"ts":9,"data":{"asset":"USDC","total":1,"available":1,"held":0}}',
];

/** Between the service and the client: loses, doubles, delays, repeats, corrupts and makes up frames. */
export class FrameLine {
  readonly #draw: Draw;
  readonly #queue: string[] = [];
  readonly #late: Array<{ text: string; after: number }> = [];
  readonly #sent: string[] = [];
  isClean = false;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  push(frames: readonly object[]): void {
    for (const frame of frames) this.#queue.push(JSON.stringify(frame));
  }

  /** Everything in flight is lost with the connection. */
  clear(): void {
    this.#queue.length = 0;
    this.#late.length = 0;
    this.#sent.length = 0;
  }

  /** The next deliveries; none if nothing is in flight. */
  next(): Delivery[] {
    const deliveries = this.#releaseLate();
    const text = this.#queue.shift();
    if (text === undefined) return deliveries;
    this.#remember(text);
    return [...deliveries, ...(this.isClean ? [frame(text)] : this.#hurt(text))];
  }

  get isEmpty(): boolean {
    return this.#queue.length + this.#late.length === 0;
  }

  #hurt(text: string): Delivery[] {
    const draw = this.#draw;
    if (draw.chance(RATES.lost)) return [];
    if (draw.chance(RATES.late)) {
      this.#late.push({ text, after: draw.int(1, 8) });
      return [];
    }
    if (draw.chance(RATES.spoiled)) return this.#spoil(text);
    const deliveries = [frame(text)];
    if (draw.chance(RATES.twice)) deliveries.push(frame(text));
    if (draw.chance(RATES.again)) deliveries.push(frame(draw.pick(this.#sent)));
    if (draw.chance(RATES.noise)) deliveries.push(noise(draw.pick(NOISE)));
    return deliveries;
  }

  /** A corrupted text that is still a valid frame can't be detected, so it is lost instead. */
  #spoil(text: string): Delivery[] {
    const spoiled = spoilText(text, this.#draw);
    if (spoiled === null) return [{ kind: 'broken' }];
    return isFrameBySchema(spoiled) ? [] : [{ kind: 'malformed', text: spoiled }];
  }

  #releaseLate(): Delivery[] {
    const due = this.#late.filter((one) => --one.after <= 0 || this.isClean);
    for (const one of due) this.#late.splice(this.#late.indexOf(one), 1);
    return due.map(({ text }) => frame(text));
  }

  #remember(text: string): void {
    this.#sent.push(text);
    if (this.#sent.length > REMEMBERED) this.#sent.shift();
  }
}

const frame = (text: string): Delivery => ({ kind: 'frame', text });
const noise = (text: string): Delivery =>
  isFrameBySchema(text) ? frame(text) : { kind: 'malformed', text };
