/**
 * A state file that can't be restored: the reason and the remedy. The file is not changed.
 *
 * ```ts
 * const settings = paperSettings.parse({ feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] });
 * const data = await loadMarketData(settings, '.');
 * if (!data.ok) throw new Error(data.problem.message);
 * const server = await startPaperServer({ settings, data: data.value }, createLiveEnv()).catch((error: unknown) => {
 *   if (error instanceof StateRefusal) console.error(error.message);
 *   throw error;
 * });
 * await server.close();
 * ```
 */
export class StateRefusal extends Error {
  constructor(path: string, reason: string, remedy: string, options?: ErrorOptions) {
    super(`The state ${path} ${reason}\n  ${remedy}`, options);
    this.name = 'StateRefusal';
  }
}
