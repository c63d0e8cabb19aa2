import { Observable, Subscription, throwError, type Observer, type Subscriber } from 'rxjs';

type Listener<T> = (value: T) => void;

/** A function that is called at each value: an operator's subscriber costs three calls more. */
class Called<T> {
  readonly #listener: Listener<T>;
  #isOpen = true;

  constructor(listener: Listener<T>) {
    this.#listener = listener;
  }

  /** What it throws is nobody else's: as with any subscriber, the process learns of it later. */
  next(value: T): void {
    if (!this.#isOpen) return;
    try {
      this.#listener(value);
    } catch (error) {
      throwError(() => error).subscribe();
    }
  }

  close(): void {
    this.#isOpen = false;
  }
}

/**
 * What a source hands to its subscribers, in the order of their subscription. As RxJS's Subject, without an end of its own and
 * without what that costs at each value. A subscriber that comes during a value does not get it; one that goes gets none.
 */
export class Emitter<T> extends Observable<T> {
  #subscribers: ReadonlyArray<Subscriber<T> | Called<T>> = [];

  constructor() {
    super((subscriber) => this.#add(subscriber));
  }

  get observed(): boolean {
    return this.#subscribers.length > 0;
  }

  override subscribe(observer?: Partial<Observer<T>> | Listener<T> | null): Subscription {
    if (typeof observer !== 'function') return super.subscribe(observer ?? {});
    const called = new Called(observer);
    const remove = this.#add(called);
    return new Subscription(() => {
      called.close();
      remove();
    });
  }

  next(value: T): void {
    const subscribers = this.#subscribers;
    for (let at = 0; at < subscribers.length; at++) subscribers[at]!.next(value);
  }

  #add(subscriber: Subscriber<T> | Called<T>): () => void {
    this.#subscribers = [...this.#subscribers, subscriber];
    return () => {
      this.#subscribers = this.#subscribers.filter((one) => one !== subscriber);
    };
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

  override subscribe(observer?: Partial<Observer<T>> | Listener<T> | null): Subscription {
    if (typeof observer !== 'function') return super.subscribe(observer ?? {});
    const value = this.#value;
    const subscription = this.#changes.subscribe(observer);
    if (value !== null) new Called(observer).next(value);
    return subscription;
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
