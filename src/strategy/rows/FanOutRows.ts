import type { RowSource, RowStage } from './RowStage.ts';

/** The stages of all subscribers of a shared stream: known if every one is. */
export class FanOutRows implements RowStage {
  /** Undefined for a subscriber that isn't known. */
  readonly #members = new Set<{ stage: RowStage | undefined }>();
  #source: RowSource | undefined;

  attach(source: RowSource): void {
    this.#source = source;
    for (const { stage } of this.#members) stage?.attach(source);
  }

  /** @returns ends its membership */
  join(stage: RowStage | undefined): () => void {
    const member = { stage };
    this.#source?.rows?.spans?.interrupt();
    this.#members.add(member);
    if (this.#source !== undefined) stage?.attach(this.#source);
    return () => void this.#members.delete(member);
  }

  isKnown(): boolean {
    for (const { stage } of this.#members) if (stage?.isKnown() !== true) return false;
    return true;
  }

  next(from: number, to: number): number {
    let next = to;
    for (const { stage } of this.#members) next = Math.min(next, stage!.next(from, next));
    return next;
  }
}
