// Contract of the samples of database sizes, and of table sizes.
import { expect, it } from 'vitest';
import type { Bench } from './builders.js';

export function growthContract(given: () => Bench): void {
  const sample = (day: number, bytes: number) => ({
    ...{
      day,
      taken_at: day * 86_400_000,
      file_bytes: bytes,
      free_bytes: 1,
      log_bytes: 2,
      disk_free_bytes: 3,
    },
  });

  it('growth: the first sample of a day stays, days beyond a month and of the future go', async () => {
    const { store } = given();
    for (const day of [100, 71, 72, 99]) await store.growthSamples.add(sample(day, day));
    await store.growthSamples.add(sample(99, 1));
    await store.growthSamples.add(sample(101, 2 ** 41));
    const { samples } = await store.growth();
    expect(samples.map(({ day, file_bytes }) => [day, file_bytes])).toEqual([
      [72, 72],
      [99, 99],
      [101, 2 ** 41],
    ]);
  });

  it('growth: a measurement of the tables replaces the one before', async () => {
    const { store } = given();
    const many = Array.from({ length: 12 }, (_, index) => ({ name: `t${index}`, bytes: 2 ** 40 - index }));
    await store.growthSamples.replaceTableSizes(many, 5);
    expect((await store.growth()).largest).toHaveLength(8);
    await store.growthSamples.replaceTableSizes([{ name: 'contents', bytes: 7 }], 6);
    expect(await store.growth()).toMatchObject({
      largest: [{ name: 'contents', bytes: 7 }],
      measuredAt: 6,
    });
  });
}
