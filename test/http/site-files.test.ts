// Tests the files that clients request from every site: icon, robots.txt, security.txt.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';

let appliance: Appliance;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
});
afterAll(() => appliance.close());

const ask = (path: string) => fetch(`${appliance.url}${path}`);

it('/favicon.ico is an icon', async () => {
  const answer = await ask('/favicon.ico');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
  expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 6)]).toEqual([0, 0, 1, 0, 3, 0]);
});

it('/robots.txt lets search engines read only the docs', async () => {
  const answer = await ask('/robots.txt');
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect((await answer.text()).split('\n')).toEqual(
    expect.arrayContaining(['User-agent: *', 'Allow: /docs', 'Disallow: /']),
  );
});

it('/.well-known/security.txt has the configured contact, and is absent without one', async () => {
  expect((await ask('/.well-known/security.txt')).status).toBe(404);
  await appliance.end();
  await appliance.start({ MAILKEEL_SECURITY_CONTACT: 'security@example.com' });
  const text = await (await ask('/.well-known/security.txt')).text();
  expect(text).toContain('Contact: mailto:security@example.com\n');
  const [, expires = ''] = /^Expires: (.+)$/m.exec(text) ?? [];
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(150);
  expect(days).toBeLessThan(365);
});
