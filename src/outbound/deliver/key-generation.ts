// A number that all threads share: who moves DKIM keys raises it, and what signers remember from before is forgotten.

export interface KeyVersion {
  current(): number;
  raise(): void;
  /** For the other threads: `openKeyVersion` there. */
  shared: SharedArrayBuffer;
}

export function openKeyVersion(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): KeyVersion {
  const counter = new Int32Array(shared);
  return {
    current: () => Atomics.load(counter, 0),
    raise: () => void Atomics.add(counter, 0, 1),
    shared,
  };
}
