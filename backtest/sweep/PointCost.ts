/** What a point cost where it ran. It is kept apart from the result, which is the same everywhere. */
export interface PointCost {
  /** Who computed it: host, process and thread, unique to them. */
  worker: string;
  /** From its start to its end. */
  ms: number;
  /** Of the processor. */
  cpuMs: number;
}

/** A point that is being computed. */
export interface RunningPoint {
  index: number;
  worker: string;
  /** Since it began. */
  ms: number;
}

/** What a worker has done for a sweep so far. */
export interface WorkerCost {
  worker: string;
  /** Including those that failed. */
  points: number;
  failed: number;
  /** Sum over its points. */
  ms: number;
  cpuMs: number;
  /** Wall-clock time of its first and its last result, epoch milliseconds. */
  first: number;
  last: number;
}
