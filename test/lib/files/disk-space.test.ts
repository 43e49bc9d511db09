// Tests the floor of the disk: background files stop at twice the floor and leave the rest to mail.
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { createDiskGuard, freeDiskBytes, roomWithSpace } from '../../../src/lib/files/disk-space.js';

/** Checks a disk whose floor is this share of its free space. */
async function look(part: number): Promise<[isShort: boolean, isFull: boolean]> {
  const guard = createDiskGuard(tmpdir(), (await freeDiskBytes(tmpdir())) * part);
  return [await guard.check(), guard.isFull()];
}

it('is low below twice the minimum, and full below the minimum', async () => {
  expect(await look(0.25)).toEqual([false, false]);
  expect(await look(0.75)).toEqual([true, false]);
  expect(await look(2)).toEqual([true, true]);
});

it('is neither before the first check, or if the system reports no figures', async () => {
  expect(createDiskGuard(tmpdir(), Infinity).isFull()).toBe(false);
  expect(await createDiskGuard('/no/such/folder', Infinity).check()).toBe(false);
});

it('prevents work that stores messages while the disk is full', () => {
  let isFull = true;
  const room = roomWithSpace(undefined, { isFull: () => isFull });
  expect(room.enter()).toBeNull();
  isFull = false;
  expect(room.enter()).not.toBeNull();
  expect(room.has(7)).toBe(true);
});
