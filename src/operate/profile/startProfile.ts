import { Session, type Profiler } from 'node:inspector/promises';

/** A profile that is being taken of this process. */
export interface RunningProfile {
  stop(): Promise<Profiler.Profile>;
}

/** Between two samples, microseconds: the run takes some percent longer. */
const SAMPLE_US = 500;

/** Samples the main thread until it is stopped. */
export async function startProfile(): Promise<RunningProfile> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  return {
    async stop() {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return profile;
    },
  };
}
