// A number that all threads share. Changes of DKIM keys increment it, so that signers drop cached keys.

export interface KeyGeneration {
  current(): number;
  bump(): void;
  /** Pass it to `openKeyGeneration` in another thread. */
  shared: SharedArrayBuffer;
}

export function openKeyGeneration(
  shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
): KeyGeneration {
  const counter = new Int32Array(shared);
  return {
    current: () => Atomics.load(counter, 0),
    bump: () => void Atomics.add(counter, 0, 1),
    shared,
  };
}
