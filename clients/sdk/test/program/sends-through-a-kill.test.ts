// Kills and restarts the server during 100 sends while a client follows the events. Every call succeeds, nothing is lost, and no
// message or event is duplicated.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../../../test/support/appliance.js';
import { waitFor } from '../../../../test/support/wait.js';
import { Mailkeel, type LogEntry } from '../../src/index.js';

const SENDS = 100;
const AT_ONCE = 8;
const BEFORE_THE_KILL = 30;

let appliance: Appliance;
beforeAll(async () => {
  appliance = await createAppliance({ env: { MAILKEEL_RATE_LIMIT_TEST: '0' } });
  await appliance.start();
});
afterAll(() => appliance.close());

it('100 sends through a kill create 100 messages, with one result each', async () => {
  const entries: LogEntry[] = [];
  const mailkeel = new Mailkeel({
    apiKey: appliance.keys.test_key,
    baseUrl: appliance.url,
    maxRetries: 10,
    log: (entry) => entries.push(entry),
  });
  const following = new AbortController();
  const told: string[] = [];
  const follower = async (): Promise<void> => {
    const { signal } = following;
    // From the very first event, so that the test does not depend on when the stream connects.
    const { data } = await mailkeel.events.list({ order: 'asc', limit: 1 });
    const lastEventId = data[0]?.id;
    if (lastEventId === undefined) throw new Error('There is no event yet.');
    for await (const event of mailkeel.events.stream({ types: ['message.queued'], lastEventId, signal })) {
      told.push(event.data.id);
    }
  };
  const ids: string[] = [];
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < SENDS) {
      const place = next;
      next += 1;
      const { id } = await mailkeel.messages.create({
        from: 'news@customer.example',
        to: `recipient-${place}@example.com`,
        subject: `Number ${place}`,
        text: 'Hello',
      });
      ids.push(id);
    }
  };
  const { id: first } = await mailkeel.messages.create({
    from: 'news@customer.example',
    to: 'first@example.com',
    subject: 'First',
    text: 'Hello',
  });
  const followed = follower();
  const senders = Promise.all(Array.from({ length: AT_ONCE }, sender));
  await waitFor(
    'some to be sent',
    () => Promise.resolve(ids.length),
    (count) => count >= BEFORE_THE_KILL,
    30_000,
  );
  await waitFor(
    'some to be told',
    () => Promise.resolve(told.length),
    (count) => count > 0,
    30_000,
  );
  await appliance.end('SIGKILL');
  await appliance.start();
  await senders;

  await waitFor(
    'all to be told',
    () => Promise.resolve(told.length),
    (count) => count >= SENDS,
    30_000,
  );
  following.abort();
  await followed;
  expect(told.sort()).toEqual(ids.toSorted());

  const subjects: string[] = [];
  for await (const { id, subject } of mailkeel.messages.list({ limit: 100 })) {
    if (id !== first) subjects.push(subject);
  }
  expect(subjects.sort()).toEqual(Array.from({ length: SENDS }, (_, place) => `Number ${place}`).sort());
  expect(new Set(ids).size).toBe(SENDS);
  const failed = entries.filter(({ status }) => status === null);
  expect(failed.length, 'attempts that the kill cut off').toBeGreaterThan(0);
  console.info(`${entries.length} attempts, ${failed.length} without an answer, ${ids.length} messages`);
}, 120_000);
