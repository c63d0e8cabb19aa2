import { InvalidArgumentError } from 'commander';

/** A port to listen on. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It is a number up to 65535; 0 takes a free one.');
}
