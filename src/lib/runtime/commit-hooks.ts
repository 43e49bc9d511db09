// What has to be kept together with whatever a piece of work keeps first, without that work knowing of it: put into an
// asynchronous scope, taken along by the first commit that is called in it.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Ride<T> {
  rider: T;
  /** It is on disk: no later commit of the scope takes it along. */
  kept(): void;
}

export interface Riders<T> {
  /**
   * Runs `work`; what it calls, at once or later, is in the scope until `end` is called, which must be. A rider of a scope
   * without a commit goes nowhere.
   */
  carry(rider: T, work: (end: () => void) => void): void;
  /**
   * The rider of the scope that this is called in, or null. Until one of those who asked says that it is kept, everyone
   * gets it: who keeps it must do so once, however often it is brought.
   */
  board(): Ride<T> | null;
  /** The rider of the scope that this is called in, kept or not; null outside of one. */
  current(): T | null;
}

interface Passage<T> {
  rider: T;
  /** The rider is kept, or the scope has ended. */
  isOver: boolean;
  hasEnded: boolean;
}

export function createRiders<T>(): Riders<T> {
  const scopes = new AsyncLocalStorage<Passage<T>>();
  let open = 0;

  return {
    carry(rider, work) {
      const passage: Passage<T> = { rider, isOver: false, hasEnded: false };
      const end = (): void => {
        if (passage.hasEnded) return;
        passage.hasEnded = true;
        passage.isOver = true;
        open -= 1;
        // Following scopes costs every promise of the program a little on some versions of Node.
        if (open === 0) scopes.disable();
      };
      open += 1;
      scopes.run(passage, () => work(end));
    },
    board() {
      const passage = scopes.getStore();
      if (!passage || passage.isOver) return null;
      return { rider: passage.rider, kept: () => void (passage.isOver = true) };
    },
    current() {
      const passage = scopes.getStore();
      return passage && !passage.hasEnded ? passage.rider : null;
    },
  };
}
