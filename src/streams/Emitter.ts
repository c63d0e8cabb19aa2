import { Observable, type Subscriber } from 'rxjs';

/**
 * What a source hands to its subscribers, in the order of their subscription. As RxJS's Subject, without an end of its own and
 * without what that costs at each value. A subscriber that comes during a value does not get it; one that goes gets none.
 */
export class Emitter<T> extends Observable<T> {
  #subscribers: ReadonlyArray<Subscriber<T>> = [];

  constructor() {
    super((subscriber) => {
      this.#subscribers = [...this.#subscribers, subscriber];
      return () => {
        this.#subscribers = this.#subscribers.filter((one) => one !== subscriber);
      };
    });
  }

  get observed(): boolean {
    return this.#subscribers.length > 0;
  }

  next(value: T): void {
    const subscribers = this.#subscribers;
    for (let at = 0; at < subscribers.length; at++) subscribers[at]!.next(value);
  }
}

/** A state: a subscriber gets the present value first, if there is one. */
export class Latest<T> extends Observable<T> {
  readonly #changes = new Emitter<T>();
  #value: T | null = null;

  constructor() {
    super((subscriber) => {
      const value = this.#value;
      const subscription = this.#changes.subscribe(subscriber);
      if (value !== null) subscriber.next(value);
      return subscription;
    });
  }

  get value(): T | null {
    return this.#value;
  }

  next(value: T): void {
    this.#value = value;
    this.#changes.next(value);
  }

  /** Nothing is known any more; subscribers are not notified. */
  forget(): void {
    this.#value = null;
  }
}
