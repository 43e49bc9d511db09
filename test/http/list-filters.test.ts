// Tests the filters of lists: several values, texts within fields, metadata, times, either order, and small rows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFullApi, type FullApiRig } from '../support/program.js';

let rig: FullApiRig;
let key = '';
const headers = () => ({ authorization: `Bearer ${key}` });

interface Row {
  id: string;
  object: string;
  name?: string;
  subject?: string;
}

async function list(url: string): Promise<Row[]> {
  const answer = await rig.app.inject({ method: 'GET', url, headers: headers() });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Row[] }>().data;
}

async function refusal(url: string): Promise<unknown> {
  const answer = await rig.app.inject({ method: 'GET', url, headers: headers() });
  const { error } = answer.json<{ error: { code: string; details?: { fields: { path: string }[] } } }>();
  return [answer.statusCode, error.code, error.details?.fields.map(({ path }) => path)];
}

async function make(url: string, body: object): Promise<Row> {
  const answer = await rig.app.inject({ method: 'POST', url, headers: headers(), payload: body });
  expect([200, 201, 202], answer.body).toContain(answer.statusCode);
  return answer.json<Row>();
}

beforeAll(async () => {
  rig = await startFullApi();
  key = rig.testKey;
}, 60_000);
afterAll(() => rig.close());

describe('messages', () => {
  const subjects = async (query: string) =>
    (await list(`/v1/messages?${query}`)).map(({ subject }) => subject);

  beforeAll(async () => {
    const from = 'Shop <shop@mailkeel.test>';
    for (const [i, more] of [
      { tags: ['a,b'], metadata: { order: 7, note: 'x"y' } },
      { tags: ['c'], metadata: { order: '7', paid: true } },
      { tags: ['d'], metadata: { order: 8.5 } },
    ].entries()) {
      await make('/v1/messages', {
        from,
        to: `p${i}@example.com`,
        subject: `Order ${i}`,
        text: 'Hello',
        ...more,
      });
    }
  });

  it.each([
    ['status=queued,bounced', ['Order 2', 'Order 1', 'Order 0']],
    ['status=queued&status=sent', ['Order 2', 'Order 1', 'Order 0']],
    ['status=bounced,failed', []],
    ['to=p0@example.com&to=P2@example.com', ['Order 2', 'Order 0']],
    ['from=SHOP@mailkeel.test', ['Order 2', 'Order 1', 'Order 0']],
    ['from=nobody@mailkeel.test', []],
    ['subject=ORDER%201', ['Order 1']],
    ['tag=a,b', ['Order 0']],
    ['tag=a,b&tag=d', ['Order 2', 'Order 0']],
    ['metadata[order]=7', ['Order 1', 'Order 0']],
    ['metadata[order]=7&metadata[paid]=true', ['Order 1']],
    ['metadata[order]=8.5', ['Order 2']],
    ['metadata[note]=x%22y', ['Order 0']],
    ['metadata[no%22pe]=1', []],
    ['order=created_at', ['Order 0', 'Order 1', 'Order 2']],
    ['order=-created_at&limit=1', ['Order 2']],
    ['created_after=2000-01-01&created_before=2000-01-02', []],
  ])('by %s', async (query, expected) => {
    expect(await subjects(query)).toEqual(expected);
  });

  it('are paged in either order, and a cursor belongs to its order', async () => {
    const seen: unknown[] = [];
    let cursor = '';
    for (let pages = 0; pages < 4; pages += 1) {
      const url = `/v1/messages?limit=1&order=created_at${cursor}`;
      const answer = await rig.app.inject({ method: 'GET', url, headers: headers() });
      const page = answer.json<{ data: Row[]; next_cursor: string | null }>();
      seen.push(...page.data.map(({ subject }) => subject));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(['Order 0', 'Order 1', 'Order 2']);
    expect(await refusal(`/v1/messages?limit=1${cursor}`)).toEqual([400, 'invalid_cursor', undefined]);
  });

  it.each([
    ['status=queued,lost', 'status'],
    [`status=${Array.from({ length: 21 }, () => 'sent').join(',')}`, 'status'],
    ['metadata=7', 'metadata'],
    ['metadata[a]=1&metadata[a]=2', 'metadata.a'],
    ['metadata[a]=%00', 'metadata'],
    ['order=subject', 'order'],
    ['view=small', 'view'],
    ['subject=', 'subject'],
    ['created_before=later', 'created_before'],
  ])('refuse %s', async (query, path) => {
    expect(await refusal(`/v1/messages?${query}`)).toEqual([422, 'validation_error', [path]]);
  });
});

describe('other lists', () => {
  const names = async (url: string) => (await list(url)).map(({ name }) => name);

  beforeAll(async () => {
    for (const name of ['Spring sale', 'Autumn news']) {
      const template = {
        name,
        slug: name.toLowerCase().replace(' ', '-'),
        type: 'marketing',
        subject: name,
        text: 'Hi',
      };
      await make('/v1/templates', template);
      const made = await make('/v1/lists', { name });
      const { id } = await make('/v1/templates', {
        ...template,
        slug: `${template.slug}-2`,
        name: `${name} 2`,
      });
      await make('/v1/campaigns', { name, list_id: made.id, template_id: id });
      await make('/v1/sub-tenants', {
        name,
        sending_domain: `${template.slug}.example`,
        external_id: `crm-${template.slug}`,
      });
      await make('/v1/suppressions', { email: `${template.slug}@example.com` });
      await make('/v1/contacts', { email: `${template.slug}@example.com`, name });
    }
  });

  it.each([
    ['/v1/templates?q=SALE&order=created_at', ['Spring sale', 'Spring sale 2']],
    ['/v1/templates?q=autumn-news-2', ['Autumn news 2']],
    ['/v1/campaigns?q=sale', ['Spring sale']],
    ['/v1/campaigns?status=draft,sent&order=created_at', ['Spring sale', 'Autumn news']],
    ['/v1/sub-tenants?q=crm-autumn', ['Autumn news']],
    ['/v1/sub-tenants?q=spring-sale.ex', ['Spring sale']],
    ['/v1/sub-tenants?status=pending_verification,paused&order=created_at', ['Spring sale', 'Autumn news']],
    ['/v1/sub-tenants?status=paused', []],
    ['/v1/lists?q=news', ['Autumn news']],
    ['/v1/lists?order=created_at', ['Spring sale', 'Autumn news']],
    ['/v1/contacts?status=unsubscribed,bounced', ['Autumn news', 'Spring sale']],
    ['/v1/contacts?created_before=2000-01-01', []],
    ['/v1/contacts?created_after=2000-01-01', ['Autumn news', 'Spring sale']],
    ['/v1/sequences?q=none', []],
    ['/v1/senders?q=none', []],
    ['/v1/threads?q=none&status=open,closed&view=summary', []],
    ['/v1/imports?created_after=2000-01-01&order=created_at', []],
  ])('%s', async (url, expected) => {
    expect(await names(url)).toEqual(expected);
  });

  it('suppressions by several reasons, in either order, with part of the address', async () => {
    const emails = async (query: string) =>
      (await list(`/v1/suppressions?${query}`)).map((row) => (row as unknown as { email: string }).email);
    const both = ['spring-sale@example.com', 'autumn-news@example.com'];
    expect(await emails('reason=manual,bounce&order=created_at')).toEqual(both);
    expect(await emails('q=example&order=created_at')).toEqual(both);
    expect(await emails('reason=bounce,complaint')).toEqual([]);
  });

  it.each([
    ['/v1/messages', 'message'],
    ['/v1/templates', 'template'],
    ['/v1/campaigns', 'campaign'],
  ])('%s have summaries with their own object type', async (url, object) => {
    const [full] = await list(`${url}?limit=1`);
    const [summary] = await list(`${url}?limit=1&view=summary`);
    expect(full?.object).toBe(object);
    expect(summary?.object).toBe(`${object}_summary`);
    const whole = full as unknown as Record<string, unknown>;
    for (const [name, value] of Object.entries(summary ?? {})) {
      if (name !== 'object') expect(whole[name], name).toEqual(value);
    }
    expect(Object.keys(summary ?? {}).length).toBeLessThan(Object.keys(whole).length);
  });
});
