import { inspect } from 'node:util';
import { keepSecret } from '../env/index.ts';

const SHOWN = '[secret]';

/**
 * A secret that can be used but not shown: it prints as `[secret]` in JSON, in templates, in
 * `console.log` and in error dumps. Only {@link Secret.reveal} gives the text, to the signer.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    keepSecret(text);
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
