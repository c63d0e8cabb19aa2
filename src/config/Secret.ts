import { inspect } from 'node:util';
import { withCode } from '../contract/failures/withCode.ts';
import { keepSecret } from '../env/index.ts';

const SHOWN = '[secret]';

/**
 * A secret that can be used but not shown: it prints as `[secret]` in JSON, in templates, in
 * `console.log` and in error dumps. Only {@link Secret.reveal} gives the text, to the signer.
 */
export class Secret {
  readonly #text: string;
  #lack: string | undefined;

  constructor(text: string) {
    this.#text = text;
    keepSecret(text);
  }

  /** A secret that could not be read, of which only its use reports why. */
  static unread(why: string): Secret {
    const secret = new Secret('');
    secret.#lack = why;
    return secret;
  }

  /** @throws Error `TRIMTAB_CONFIG_SECRET` if it could not be read */
  reveal(): string {
    if (this.#lack !== undefined) throw withCode('TRIMTAB_CONFIG_SECRET', new Error(this.#lack));
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
