import { Observable } from 'rxjs';

/** Something that runs while at least one of its observables is subscribed. */
export interface SharedRun {
  start(): void;
  stop(): void;
}

/** Creates views that start the run with the first subscriber of any and stop it with the last. */
export function shareByCount<A, T>(
  view: (argument: A) => Observable<T>,
  run: SharedRun,
): (argument: A) => Observable<T> {
  let holders = 0;
  return (argument) =>
    new Observable((subscriber) => {
      const subscription = view(argument).subscribe(subscriber);
      holders += 1;
      if (holders === 1) run.start();
      return () => {
        subscription.unsubscribe();
        holders -= 1;
        if (holders === 0) run.stop();
      };
    });
}
