// Tests share links through the running program: what a visitor without a key sees of a domain's records and of one message.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../../support/appliance.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';

let rig: MailRig;

async function ask(
  method: string,
  path: string,
  body?: unknown,
  key = rig.appliance.keys.live_key,
): Promise<Answer['json']> {
  const answer = await rig.appliance.api(method, path, { key, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

/** Opens it like a browser without a session; the public URL differs from the test's. */
const open = (link: { url: string }) => fetch(`${rig.appliance.url}${new URL(link.url).pathname}`);

beforeAll(async () => {
  rig = await startMailRig({ process: 'shared' });
}, 60_000);
afterAll(() => rig.close());

it('are in German on request, with a script that shows local time', async () => {
  const link = await ask('POST', `/v1/sub-tenants/${rig.tenantId}/share`);
  const headers = { 'accept-language': 'de' };
  const page = await fetch(`${rig.appliance.url}${new URL(link.url).pathname}`, { headers });
  const text = await page.text();
  expect(text).toContain('<html lang="de"');
  expect(text).toContain('DNS-Einträge für shop.example');
  expect(text).toContain('Veröffentlichen Sie diese Einträge');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(await (await fetch(`${rig.appliance.url}/share.js`)).text()).toContain('Intl.DateTimeFormat');
  for (const path of ['/setup', '/invitation', '/reset-password']) {
    const body = await (await fetch(`${rig.appliance.url}${path}`, { headers })).text();
    expect(body).toContain('<html lang="de"');
    expect(body).toMatch(/Mailkeel ist eingerichtet|Einladung|Passwort/);
  }
});

it('the records of a domain show the current DNS', async () => {
  const link = await ask('POST', `/v1/sub-tenants/${rig.tenantId}/share`);
  expect(link).toMatchObject({ object: 'share_link', target: 'sub_tenant', target_id: rig.tenantId });
  expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(7 * 86_400_000);
  const page = await open(link);
  const text = await page.text();
  expect(page.status).toBe(200);
  expect(text).toContain('DNS records for shop.example');
  expect(text).toContain('All required records are correct.');
  for (const { host, value } of (await ask('GET', `/v1/sub-tenants/${rig.tenantId}`)).dns_records) {
    // This program has no public URL, so nothing is published for its links.
    if (value === null) continue;
    expect(text).toContain(`<code>${String(host)}</code>`);
    expect(text).toContain(String(value).slice(0, 40));
  }
  expect(text).not.toMatch(/<script(?! src="\/share\.js" defer)|tnt_|org_|ws_/);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
});

it('problems are shown next to the records found, and viewing changes nothing', async () => {
  const sender = await ask('POST', '/v1/senders', { domain: 'other.example' });
  const [dkim] = sender.dns_records as { host: string }[];
  rig.dns.set(dkim?.host ?? '', 'TXT', ['v=DKIM1; p=<other>']);
  const link = await ask('POST', `/v1/senders/${String(sender.id)}/share`, { expires_in_days: 1 });
  const text = await (await open(link)).text();
  expect(text).toContain('DKIM signature (TXT): different');
  expect(text).toContain('v=DKIM1; p=&lt;other&gt;');
  expect(text).toContain('not found');
  expect((await ask('GET', `/v1/senders/${String(sender.id)}`)).status).toBe('pending_verification');
  await ask('DELETE', `/v1/senders/${String(sender.id)}`);
  expect((await open(link)).status).toBe(404);
});

it("a message is shown without content by default, and never with the recipient's links", async () => {
  const key = rig.appliance.keys.test_key;
  await ask('PATCH', '/v1/organization', { postal_address: 'Ring 1, 50667 Köln' });
  await ask('POST', '/v1/contacts', { email: 'delivered@example.com' }, key);
  const message = {
    ...{ from: 'me@shop.example', to: 'delivered@example.com', type: 'marketing' },
    ...{ subject: 'Secret <offer>', text: 'The words of the mail' },
  };
  const { id } = await ask('POST', '/v1/messages', message, key);
  await waitFor(
    'delivery',
    () => ask('GET', `/v1/messages/${String(id)}`, undefined, key),
    ({ status }) => status === 'delivered',
  );
  const bare = await (await open(await ask('POST', `/v1/messages/${String(id)}/share`, {}, key))).text();
  expect(bare).toContain('delivered@example.com');
  expect(bare).toContain('Timeline');
  expect(bare).not.toMatch(/Secret|The words/);
  const whole = await ask('POST', `/v1/messages/${String(id)}/share`, { include_content: true }, key);
  const text = await (await open(whole)).text();
  expect(text).toContain('Secret &lt;offer&gt;');
  expect(text).toContain('The words of the mail');
  expect(text).toContain('/u/…');
  expect(text).not.toMatch(/\/u\/[0-9a-z]{20}/);
  const listed = await ask('GET', `/v1/share-links?target_id=${String(id)}`, undefined, key);
  expect(listed.data).toHaveLength(2);
  expect(JSON.stringify(listed)).not.toContain('/share/');
});

it('a link ends when it is deleted, and an invalid link opens nothing', async () => {
  const link = await ask('POST', `/v1/sub-tenants/${rig.tenantId}/share`);
  await ask('DELETE', `/v1/share-links/${String(link.id)}`);
  const gone = await open(link);
  expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('is no longer valid')]);
  const [last] = (await ask('GET', '/v1/share-links')).data;
  expect(last).toMatchObject({ id: link.id, revoked_at: expect.any(String) as unknown });
  const forged = `${String(link.url).slice(0, -1)}${String(link.url).endsWith('0') ? '1' : '0'}`;
  expect((await open({ url: forged })).status).toBe(404);
});

it('reports the problems of a request', async () => {
  const refused = async (path: string, body: unknown) => {
    const { status, json } = await rig.appliance.api('POST', path, { body });
    const fields = (json.error.details?.fields ?? []) as { path: string }[];
    return [status, json.error.code, ...fields.map((field) => field.path)];
  };
  const path = `/v1/sub-tenants/${rig.tenantId}/share`;
  expect(await refused(path, { expires_in_days: 91 })).toEqual([422, 'validation_error', 'expires_in_days']);
  expect(await refused(path, { include_content: true })).toEqual([
    422,
    'validation_error',
    'include_content',
  ]);
  const sender = await ask('POST', '/v1/senders', { email: 'me@shop.example', sub_tenant_id: rig.tenantId });
  expect(await refused(`/v1/senders/${String(sender.id)}/share`, {})).toEqual([
    422,
    'validation_error',
    'id',
  ]);
});

it('guessing is blocked', async () => {
  const statuses = new Set<number>();
  for (let i = 0; i < 70; i++) {
    statuses.add((await open({ url: `http://x/share/${'0'.repeat(58)}${i % 10}` })).status);
  }
  expect([...statuses]).toEqual([404, 429]);
});
