// Tests the lists of a campaign's recipients by the outcome of their copy and their activity: they match the counts of the
// funnel.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { waitFor } from '../../support/wait.js';

const PEOPLE = [
  'delivered',
  'plain',
  'bounced',
  'opened',
  'clicked',
  'complained',
  'replied',
  'suppressed',
  'left',
];
let appliance: Appliance;
let url = '';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const key = appliance.keys.test_key;
  const answer = await appliance.api(method, path, { key, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

/** Local parts of the listed recipients, in alphabetical order. */
async function found(query: string): Promise<string[]> {
  const { data } = await ask('GET', `${url}/recipients?${query}`);
  return (data as { email: string }[]).map(({ email }) => email.split('@')[0] ?? '').sort();
}

beforeAll(async () => {
  appliance = await createAppliance({
    process: 'shared',
    env: { MAILKEEL_RATE_LIMIT_TEST: '0', MAILKEEL_LOG_LEVEL: 'warn' },
  });
  await appliance.start();
  await appliance.api('PATCH', '/v1/organization', { body: { postal_address: 'Ring 1, 50667 Köln' } });
  const list = await ask('POST', '/v1/lists', { name: 'Readers' });
  for (const name of PEOPLE) {
    await ask('POST', `/v1/lists/${String(list.id)}/contacts`, { email: `${name}@example.com` });
  }
  const html = '<p>Hi <a href="https://shop.example/a">read</a></p>';
  const template = await ask('POST', '/v1/templates', { name: 'News', subject: 'News', html });
  await ask('POST', '/v1/suppressions', { email: 'suppressed@example.com', reason: 'manual' });
  const body = { name: 'News', list_id: list.id, template_id: template.id, from: 'news@shop.example' };
  url = `/v1/campaigns/${String((await ask('POST', '/v1/campaigns', body)).id)}`;
  await ask('POST', `${url}/send`);
  await waitFor(
    'the copies',
    () => found('did=delivered,bounced,skipped'),
    (names) => names.length === PEOPLE.length,
  );
  const left = (await ask('GET', `${url}/recipients?email=left@example.com`)).data[0];
  await ask('POST', `/v1/messages/${String(left.message_id)}/simulate`, { event: 'unsubscribed' });
}, 60_000);

afterAll(() => appliance.close());

it('lists recipients by action, by its absence, and by both, consistent with the funnel', async () => {
  const stats = await waitFor(
    'the funnel',
    async () => (await ask('GET', url)).stats as Record<string, number>,
    (counts) =>
      counts['clicked'] === 1 &&
      counts['opened'] === 2 &&
      counts['complained'] === 1 &&
      counts['unsubscribed'] === 1,
  );
  await waitFor(
    'the reply',
    () => found('did=replied'),
    (names) => names.length === 1,
  );
  expect(await found('did=delivered')).toEqual(
    PEOPLE.filter((name) => !['bounced', 'suppressed'].includes(name)).sort(),
  );
  for (const deed of ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'skipped']) {
    const { data, total } = await ask('GET', `${url}/recipients?did=${deed}`);
    expect([deed, (data as unknown[]).length, total]).toEqual([deed, stats[deed], stats[deed]]);
  }
  expect((await ask('GET', `${url}/recipients`)).total).toBe(PEOPLE.length);
  expect((await ask('GET', `${url}/recipients?did=opened,clicked`)).total).toBeNull();
  expect((await ask('GET', `${url}/recipients?did=opened&state=created`)).total).toBeNull();
  expect(await found('did=opened')).toEqual(['clicked', 'opened']);
  expect(await found('did=clicked,bounced')).toEqual(['bounced', 'clicked']);
  expect(await found('did=replied')).toEqual(['replied']);
  expect(await found('did=skipped')).toEqual(['suppressed']);
  expect(await found('did=delivered&did_not=opened,complained,unsubscribed,replied')).toEqual([
    'delivered',
    'plain',
  ]);
  expect(await found('did_not=delivered')).toEqual(['bounced', 'suppressed']);
});

it('returns pages, and refuses an unknown action by name', async () => {
  const first = await ask('GET', `${url}/recipients?did=delivered&limit=4`);
  const second = await ask(
    'GET',
    `${url}/recipients?did=delivered&limit=4&cursor=${String(first.next_cursor)}`,
  );
  expect([first.data.length, second.data.length, second.has_more]).toEqual([4, 3, false]);
  const key = appliance.keys.test_key;
  const answer = await appliance.api('GET', `${url}/recipients?did=read`, { key });
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('did')]);
});
