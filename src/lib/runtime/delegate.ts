// An object that is replaced by another while others hold on to its parts: their calls go to the one that counts now.
import type { Log } from './log.js';

/** Names of an object's methods. */
type MethodOf<P> = { [M in keyof P]: P[M] extends (...args: never[]) => unknown ? M : never }[keyof P];

export interface Delegate<T extends object> {
  /** The one that counts now. */
  readonly object: T;
  /**
   * A part of it, as a function of whichever counts when it is called. Only its methods may be used. `changing`: calls of
   * these that come during `replace` are repeated on the new one.
   */
  part<K extends keyof T>(name: K, changing: readonly MethodOf<T[K]>[]): T[K];
  /** As a call of a part's changing method. */
  change(work: (object: T) => void): void;
  /**
   * Changes that come while the new one is made may have missed it, so they are repeated on it. They must bear that. A repeat
   * that fails is logged.
   */
  replace(make: () => Promise<T>): Promise<void>;
}

type Method = (...args: unknown[]) => unknown;
type Methods = Record<string, Method>;

export function createDelegate<T extends object>(first: T, log: Log): Delegate<T> {
  let object = first;
  let missed: ((object: T) => unknown)[] | null = null;

  function change<R>(work: (object: T) => R): R {
    const result = work(object);
    // After it: a call that is refused is not to be repeated.
    missed?.push(work);
    return result;
  }

  async function repeat(work: (object: T) => unknown): Promise<void> {
    try {
      await work(object);
    } catch (error) {
      log.error({ err: error }, 'repeating a change after replacement failed: change lost');
    }
  }

  return {
    get object() {
      return object;
    },
    change,
    part<K extends keyof T>(name: K, changing: readonly MethodOf<T[K]>[]): T[K] {
      const methods: Record<string, Method> = {};
      for (const method of methodsOf(object[name] as Methods)) {
        const isChanging = changing.some((other) => other === method);
        methods[method] = (...args) => {
          const work = (now: T): unknown => (now[name] as Methods)[method]?.(...args);
          return isChanging ? change(work) : work(object);
        };
      }
      // The same methods, each on the object of its time.
      return methods as T[K];
    },
    async replace(make) {
      missed = [];
      try {
        object = await make();
        const again = missed;
        missed = null;
        for (const work of again) void repeat(work);
      } finally {
        missed = null;
      }
    },
  };
}

/** Names of an object's methods, those of its class among them. */
function methodsOf(part: Methods): string[] {
  const prototype = Object.getPrototypeOf(part) as object;
  const inherited = prototype === Object.prototype ? [] : Object.getOwnPropertyNames(prototype);
  return [...Object.keys(part), ...inherited].filter(
    (name) => name !== 'constructor' && typeof part[name] === 'function',
  );
}
