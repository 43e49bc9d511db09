// The server is killed and started again in the middle of 100 sends: every call succeeds, nothing is lost, nothing is there twice.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../../../test/support/appliance.js';
import { waitFor } from '../../../../test/support/wait.js';
import { Posthorn, type LogEntry } from '../../src/index.js';

const SENDS = 100;
const AT_ONCE = 8;
const BEFORE_THE_KILL = 30;

let appliance: Appliance;
beforeAll(async () => {
  appliance = await createAppliance({ env: { POSTHORN_RATE_LIMIT_TEST: '0' } });
  await appliance.start();
});
afterAll(() => appliance.close());

it('100 sends through a kill make 100 messages', async () => {
  const entries: LogEntry[] = [];
  const posthorn = new Posthorn({
    apiKey: appliance.keys.test_key,
    baseUrl: appliance.url,
    maxRetries: 10,
    log: (entry) => entries.push(entry),
  });
  const ids: string[] = [];
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < SENDS) {
      const place = next;
      next += 1;
      const { id } = await posthorn.messages.create({
        from: 'news@customer.example',
        to: `recipient-${place}@example.com`,
        subject: `Number ${place}`,
        text: 'Hello',
      });
      ids.push(id);
    }
  };
  const senders = Promise.all(Array.from({ length: AT_ONCE }, sender));
  await waitFor(
    'some to be sent',
    () => Promise.resolve(ids.length),
    (count) => count >= BEFORE_THE_KILL,
    30_000,
  );
  await appliance.end('SIGKILL');
  await appliance.start();
  await senders;

  const subjects: string[] = [];
  for await (const message of posthorn.messages.list({ limit: 100 })) subjects.push(message.subject);
  expect(subjects.sort()).toEqual(Array.from({ length: SENDS }, (_, place) => `Number ${place}`).sort());
  expect(new Set(ids).size).toBe(SENDS);
  const failed = entries.filter(({ status }) => status === null);
  expect(failed.length, 'attempts that the kill cut off').toBeGreaterThan(0);
  console.info(`${entries.length} attempts, ${failed.length} without an answer, ${ids.length} messages`);
}, 120_000);
