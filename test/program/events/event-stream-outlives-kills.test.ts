// Kills the server repeatedly while a consumer follows the event stream and a webhook receiver runs. Neither misses an event, and
// the stream repeats none.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { openEventSource, type EventSourceClient } from '../../support/event-source.js';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';
import { sized } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';

const ROUNDS = sized({ small: 1, full: 4 });
const MESSAGES = sized({ small: 20, full: 40 });
const EVENTS = ['message.queued', 'message.sending', 'message.sent', 'message.delivered'];
let appliance: Appliance;
let receiver: HttpReceiver;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  appliance = await createAppliance({
    env: {
      MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true',
      MAILKEEL_WEBHOOK_SCHEDULE: '1s,1s,1s',
      // Leases left by a kill expire soon.
      MAILKEEL_WEBHOOK_TIMEOUT: '1s',
      MAILKEEL_RATE_LIMIT_TEST: '0',
    },
  });
  await appliance.start();
});

afterAll(async () => {
  await appliance.close();
  await receiver.close();
});

const key = (): string => appliance.keys.test_key;

async function send(index: number): Promise<void> {
  const body = {
    from: 'me@example.com',
    to: 'delivered@example.com',
    subject: 'Hello',
    text: 'It works.',
    idempotency_key: `message-${index}`,
  };
  // A message whose response was lost is sent again, and the key makes it one message.
  await waitFor(`message ${index} is accepted`, async () => {
    const answer = await appliance.api('POST', '/v1/messages', { key: key(), body }).catch(() => null);
    return answer?.status === 202;
  });
}

async function follow(lastEventId: string): Promise<EventSourceClient> {
  const options = { key: key(), ...(lastEventId === '' ? {} : { lastEventId }) };
  return openEventSource(appliance.port, options);
}

async function wholeFeed(): Promise<{ id: string; event: string; data: { id: string } }[]> {
  const all = [];
  for (let query = '?order=asc&limit=100'; ;) {
    const { json } = await appliance.api('GET', `/v1/events${query}`, { key: key() });
    all.push(...json.data);
    if (!json.has_more) return all;
    query = `?order=asc&limit=100&cursor=${String(json.next_cursor)}`;
  }
}

it('streams every event once, in order, across kills of the server', async () => {
  await appliance.api('POST', '/v1/webhook-endpoints', { key: key(), body: { url: receiver.url } });
  let client = await follow('');
  await waitFor('it has begun', () => client.lastEventId !== '');
  const got: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sending = (async () => {
      for (let i = 0; i < MESSAGES; i += 1) await send(round * MESSAGES + i);
    })();
    await client.waitFor(20);
    await appliance.end('SIGKILL');
    await client.ended();
    got.push(...client.events.map(({ id }) => id));
    await (round === ROUNDS - 1 ? appliance.startHere() : appliance.start());
    client = await follow(client.lastEventId);
    await sending;
  }
  const total = ROUNDS * MESSAGES * EVENTS.length;
  await waitFor('everything was told', () => got.length + client.events.length >= total, Boolean, 60_000);
  got.push(...client.events.map(({ id }) => id));
  const feed = await wholeFeed();
  expect(got).toEqual(feed.map(({ id }) => id));
  expect(feed).toHaveLength(total);

  // By webhook at least once, each repetition with the id of its delivery.
  const wanted = new Set(
    feed
      .filter(({ event }) => event === 'message.sent' || event === 'message.delivered')
      .map(({ event, data }) => `${data.id} ${event}`),
  );
  const arrived = () =>
    new Map(
      receiver.requests.map(({ rawBody, headers }) => {
        const { event, data } = JSON.parse(String(rawBody)) as { event: string; data: { id: string } };
        return [String(headers['service-delivery']), `${data.id} ${event}`];
      }),
    );
  await waitFor(
    'every delivery has come',
    () => new Set(arrived().values()).size >= wanted.size,
    Boolean,
    60_000,
  );
  expect(new Set(arrived().values())).toEqual(wanted);
  expect(arrived().size).toBe(wanted.size);
}, 180_000);
