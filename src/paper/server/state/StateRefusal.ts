/** A state file that can't be taken up: says why, and what to do. It is left as it is. */
export class StateRefusal extends Error {
  constructor(path: string, reason: string, remedy: string, options?: ErrorOptions) {
    super(`The state ${path} ${reason}\n  ${remedy}`, options);
    this.name = 'StateRefusal';
  }
}
