// A disk that is full on demand.
import type { DiskGuard } from '../../src/lib/files/index.js';

export interface TestDisk extends Pick<DiskGuard, 'isFull' | 'isShort' | 'check'> {
  setFull(isFull: boolean): void;
}

export function testDisk(): TestDisk {
  let isFull = false;
  return {
    isFull: () => isFull,
    isShort: () => isFull,
    check: () => Promise.resolve(isFull),
    setFull: (value) => void (isFull = value),
  };
}
