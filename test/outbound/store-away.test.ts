// Tests a delivery whose store is unavailable: the message returns to the queue unattempted, without a fault.
import { expect, it } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import { prepareMail, type AttemptJob } from '../../src/outbound/deliver/attempt.js';

const jobThat = (error: Error): AttemptJob => ({
  requireTls: false,
  prepare: () => Promise.reject(error),
  beforeDot: () => Promise.resolve(true),
});

it('returns the message if the store is unavailable', async () => {
  const faults: unknown[] = [];
  const mail = await prepareMail(jobThat(new Refusal('unavailable')), null, (error) => faults.push(error));
  expect(mail).toEqual({ kind: 'ended', result: { kind: 'unattempted', stalled: false } });
  expect(faults).toEqual([]);
});

it('holds the message after an internal error', async () => {
  const faults: unknown[] = [];
  const fault = new Error('broken');
  const mail = await prepareMail(jobThat(fault), null, (error) => faults.push(error));
  expect(mail).toEqual({ kind: 'ended', result: { kind: 'held', reason: 'fault', message: 'broken' } });
  expect(faults).toEqual([fault]);
});
