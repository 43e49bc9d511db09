// An object that is replaced by another while others hold on to its parts: their calls go to the one that counts now.

export interface Delegate<T extends object> {
  /** The one that counts now. */
  readonly object: T;
  /** A part of it, as a function of whichever counts when it is called. Only its methods may be used. */
  part<K extends keyof T>(name: K): T[K];
  /** As a call of a part's method. */
  call(work: (object: T) => void): void;
  /** Calls that come while the new one is made may have missed it, so they are made again on it. They must bear that. */
  replace(make: () => Promise<T>): Promise<void>;
}

type Method = (...args: unknown[]) => unknown;
type Methods = Record<string, Method>;

export function createDelegate<T extends object>(first: T): Delegate<T> {
  let object = first;
  let missed: ((object: T) => unknown)[] | null = null;

  function call<R>(work: (object: T) => R): R {
    missed?.push(work);
    return work(object);
  }

  return {
    get object() {
      return object;
    },
    call,
    part<K extends keyof T>(name: K): T[K] {
      const methods: Record<string, Method> = {};
      for (const method of methodsOf(object[name] as Methods)) {
        methods[method] = (...args) => call((now) => (now[name] as Methods)[method]?.(...args));
      }
      // The same methods, each on the object of its time.
      return methods as T[K];
    },
    async replace(make) {
      missed = [];
      try {
        const next = await make();
        object = next;
        const again = missed;
        missed = null;
        for (const work of again) work(next);
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
