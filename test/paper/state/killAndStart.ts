import { done, type Driver } from './busyDay.ts';
import type { KilledService } from './startKilled.ts';

export const SLOW = { timeout: 120_000 };

export async function runningOf(driver: Driver): Promise<string[]> {
  const { items } = await done(driver, '/v1/executions?limit=500&status=running');
  return items.map(({ execution_id: id }: { execution_id: string }) => id);
}

/** Pauses or resumes all that accept it, and returns their ids. */
export async function control(driver: Driver, ids: string[], action: string): Promise<void> {
  for (const id of ids) {
    await done(driver, `/v1/executions/${id}/${action}`, { method: 'POST', body: {} });
  }
}

export async function killAndStart(service: KilledService): Promise<void> {
  await service.kill();
  await service.start();
}

export const post = (body: unknown, key: string) => ({
  method: 'POST',
  body,
  headers: { 'idempotency-key': key },
});
