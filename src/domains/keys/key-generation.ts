// A number that all threads share: who moves DKIM keys raises it, and what signers remember from before is forgotten.

export interface KeyGeneration {
  current(): number;
  bump(): void;
  /** For the other threads: `openKeyGeneration` there. */
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
