import type { FrameOrder } from './ChannelFeed.ts';
import { RecentValues } from './RecentValues.ts';

/** A record that changed longer ago than so many others is not recognized; its late frame is shown. */
const MOST_RECORDS = 4_096;

/** Recognizes a frame that comes after a later one of the same record, by their numbers. */
export class LateRecords {
  /** Numbers of the last frames that were shown, by record. */
  #shown = new RecentValues<number>(MOST_RECORDS);

  /** Whether no later frame of the record was shown; then it is shown. */
  isNews(id: string, seq: number, order: FrameOrder): boolean {
    if (order === 'late' && (this.#shown.get(id) ?? 0) > seq) return false;
    this.#shown.set(id, seq);
    return true;
  }

  /** A snapshot begins another sequence. */
  startOver(): void {
    this.#shown = new RecentValues(MOST_RECORDS);
  }
}
