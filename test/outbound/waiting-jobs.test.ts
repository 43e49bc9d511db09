// Tests the order of messages that wait for a session.
import { expect, it } from 'vitest';
import type { SiteJob } from '../../src/outbound/deliver/site.js';
import { WaitingJobs } from '../../src/outbound/deliver/waiting-jobs.js';

const job = (of: Pick<SiteJob, 'messageId'> & Partial<SiteJob>): SiteJob => ({
  ...{ queueId: 1, dueAt: of.messageId, rank: 1, since: 0, requireTls: false, returns: 0 },
  prepare: () => Promise.reject(new Error('not asked for')),
  beforeDot: () => Promise.resolve(true),
  finish: () => undefined,
  ...of,
});

function ids(waiting: WaitingJobs): number[] {
  const found: number[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) found.push(next.messageId);
  return found;
}

it('serves lower ranks first, and within a rank the first arrival', () => {
  const waiting = new WaitingJobs();
  waiting.push(job({ messageId: 1, rank: 4, queueId: 4 }));
  waiting.push(job({ messageId: 2, queueId: 2 }));
  waiting.push(job({ messageId: 3, queueId: 3, dueAt: 0 }));
  waiting.unshift(job({ messageId: 4, queueId: 5 }));
  expect(waiting.length).toBe(4);
  expect(ids(waiting)).toEqual([4, 2, 3, 1]);
});

it('puts returned messages before later ones of their queue, but not before other queues', () => {
  const waiting = new WaitingJobs();
  waiting.push(job({ messageId: 4 }));
  waiting.push(job({ messageId: 1, queueId: 2 }));
  waiting.push(job({ messageId: 5 }));
  waiting.push(job({ messageId: 2 }));
  expect(ids(waiting)).toEqual([2, 1, 4, 5]);
});

it('removes whole queues that contain an overdue message', () => {
  const waiting = new WaitingJobs();
  waiting.push(job({ messageId: 1, since: 10 }));
  waiting.push(job({ messageId: 2, queueId: 2, since: 11 }));
  waiting.push(job({ messageId: 3, since: 12 }));
  expect(waiting.takeQueuesOf(10)).toEqual([]);
  expect(waiting.takeQueuesOf(11).map(({ messageId }) => messageId)).toEqual([1, 3]);
  expect(waiting.length).toBe(1);
  expect(ids(waiting)).toEqual([2]);
});
