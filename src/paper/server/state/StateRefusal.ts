/** A state file that can't be restored: the reason and the remedy. The file is not changed. */
export class StateRefusal extends Error {
  constructor(path: string, reason: string, remedy: string, options?: ErrorOptions) {
    super(`The state ${path} ${reason}\n  ${remedy}`, options);
    this.name = 'StateRefusal';
  }
}
