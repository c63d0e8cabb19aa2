import { fork } from 'node:child_process';

/** A server in its own process, so that it doesn't share a thread with the load generator. */
export interface BenchServer {
  port: number;
  /** The other fields of its ready message. */
  info: Readonly<Record<string, unknown>>;
  /** Sends it a command; resolves with its response. */
  ask(order: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  stop(): void;
}

type Message = Readonly<Record<string, unknown>>;

/**
 * Starts a script that sends `{port, …}` when it listens, and a response to each command.
 *
 * @param script URL of the script
 */
export async function startServer(script: URL, nodeFlags: string[] = []): Promise<BenchServer> {
  const child = fork(script, { execArgv: ['--expose-gc', ...nodeFlags] });
  const next = (): Promise<Message> =>
    new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`${script.pathname} has ended.`));
      child.once('exit', fail);
      child.once('message', (message) => {
        child.off('exit', fail);
        resolve(message as Message);
      });
    });
  const ready = await next();
  return {
    port: Number(ready['port']),
    info: ready,
    ask(order) {
      const answer = next();
      child.send(order);
      return answer;
    },
    stop: () => child.disconnect(),
  };
}
