// Tests the SendGrid clients against the running program. Only the base URL and the key differ.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import sendgridClient from '@sendgrid/client';
import sendgridMail from '@sendgrid/mail';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';
import { waitFor } from '../support/wait.js';

type Client = typeof sendgridClient;
type MailService = typeof sendgridMail;
type MailDataRequired = Exclude<Parameters<MailService['send']>[0], unknown[]>;
// Their types declare the classes next to an `export =`, where the compiler does not look for names.
const { Client } = sendgridClient as unknown as { Client: new () => Client };
const { MailService } = sendgridMail as unknown as { MailService: new () => MailService };

let appliance: Appliance;
let client: Client;
let mailer: MailService;

beforeAll(async () => {
  // It warns on the console about an unusual key prefix.
  vi.spyOn(console, 'warn').mockReturnValue();
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
  client = clientWith(appliance.keys.test_key);
  mailer = new MailService();
  mailer.setClient(client);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await appliance.close();
});

function clientWith(key: string): Client {
  const made = new Client();
  made.setApiKey(key);
  made.setDefaultRequest('baseUrl', `${appliance.url}/compat/sendgrid`);
  return made;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Status and body of a request by the client. */
async function ask(method: Method, url: string, body?: object): Promise<{ status: number; body: unknown }> {
  const [response] = await client.request({ method, url, ...(body === undefined ? {} : { body }) });
  return { status: response.statusCode, body: response.body };
}

interface ClientError {
  code: number;
  response: { body: { errors: { message: string; field: string | null }[] } };
}

async function refusalOf(
  asked: Promise<unknown>,
): Promise<{ status: number; message: string; field: string | null }> {
  const error = await asked.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  const { code, response } = error as ClientError;
  const [first] = response.body.errors;
  return { status: code, message: first?.message ?? '', field: first?.field ?? null };
}

const soon = (): number => Math.floor(Date.now() / 1000) + 86_400;
let count = 0;
const mail = (more: object = {}): MailDataRequired => ({
  ...{ from: { email: 'news@shop.example', name: 'News' }, to: `delivered+${count++}@simulator.example` },
  ...{ subject: 'Hello', html: '<p>Hello</p>', text: 'Hello', ...more },
});

async function send(data: MailDataRequired): Promise<string> {
  const [response] = await mailer.send(data);
  expect([response.statusCode, response.body]).toEqual([202, '']);
  return String((response.headers as Record<string, string>)['x-message-id']);
}

async function message(id: string, part = ''): Promise<Record<string, unknown>> {
  const { json } = await appliance.api('GET', `/v1/messages/${id}${part}`, { key: appliance.keys.test_key });
  return json as Record<string, unknown>;
}

async function found(query: string): Promise<Record<string, unknown>[]> {
  const { json } = await appliance.api('GET', `/v1/messages?${query}`, { key: appliance.keys.test_key });
  return (json as { data: Record<string, unknown>[] }).data;
}

describe('mail', () => {
  it('is sent with every field', async () => {
    const id = await send(
      mail({
        ...{ to: ['ann@example.com', { email: 'bob@example.com', name: 'Bob' }], cc: 'carl@example.com' },
        ...{ bcc: 'dora@example.com', replyTo: 'help@shop.example', headers: { 'X-Order': '4711' } },
        ...{ categories: ['welcome'], customArgs: { order: '4711' }, sendAt: soon() },
        attachments: [
          { content: 'ZmlsZQ==', filename: 'a.txt', type: 'text/plain', disposition: 'attachment' },
        ],
        trackingSettings: { clickTracking: { enable: false }, openTracking: { enable: true } },
        mailSettings: { sandboxMode: { enable: true } },
      }),
    );
    expect(await message(id)).toMatchObject({
      ...{ to: 'ann@example.com', subject: 'Hello', tags: ['welcome'], metadata: { order: '4711' } },
      ...{
        reply_to: { email: 'help@shop.example' },
        track_clicks: false,
        track_opens: true,
        status: 'queued',
      },
      attachments: [{ filename: 'a.txt', size: 4 }],
    });
    expect(await message(id, '/content')).toMatchObject({
      to: [{ email: 'ann@example.com' }, { email: 'bob@example.com', name: 'Bob' }],
      headers: { 'X-Order': '4711' },
    });
  });

  it('is delivered', async () => {
    const id = await send(mail());
    await waitFor(
      'the message to be delivered',
      () => message(id),
      ({ status }) => status === 'delivered',
    );
  });

  it('is one message for each personalization, with its own substitutions', async () => {
    const personalizations = ['Ann', 'Bob'].map((name) => ({
      to: [{ email: `${name}@example.com` }],
      substitutions: { name, day: '{{name}}' },
      subject: 'Hi {{name}}',
    }));
    await mailer.send(
      mail({ personalizations, to: undefined, html: '<p>{{name}} {{day}}</p>', categories: ['each'] }),
    );
    const sent = await found('tag=each');
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['Bob@example.com', 'Hi Bob'],
      ['Ann@example.com', 'Hi Ann'],
    ]);
    expect((await message(String(sent[0]?.['id']), '/content'))['html']).toBe('<p>Bob {{name}}</p>');
  });

  it('is refused before substitution if its substitutions are too large', async () => {
    const personalizations = Array.from({ length: 8 }, (_, at) => ({
      to: [{ email: `ann${at}@example.com` }],
      substitutions: { '~': 'x'.repeat(1500) },
    }));
    const body = {
      ...{ personalizations, from: { email: 'news@shop.example' }, subject: 'Hello' },
      content: [{ type: 'text/plain', value: '~'.repeat(100_000) }],
    };
    expect((await refusalOf(ask('POST', '/v3/mail/send', body))).status).toBe(413);
  });

  it('is refused with too many substitutions', async () => {
    const substitutions = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`-n${at}-`, 'x']));
    const refusal = await refusalOf(
      ask('POST', '/v3/mail/send', {
        ...{ from: { email: 'news@shop.example' }, subject: 'Hello' },
        personalizations: [{ to: [{ email: 'ann@example.com' }], substitutions }],
        content: [{ type: 'text/plain', value: '-n1-' }],
      }),
    );
    expect([refusal.status, refusal.message]).toEqual([
      413,
      expect.stringContaining('501 values for one recipient') as string,
    ]);
  });

  it('is sent to all personalizations or to none', async () => {
    const data = mail({ to: ['ann@example.com', 'nonsense'], categories: ['none'] });
    const { status, message: sentence } = await refusalOf(mailer.sendMultiple(data));
    expect([status, sentence]).toEqual([400, expect.stringContaining('Nothing was sent.') as string]);
    expect(await found('tag=none')).toEqual([]);
    await mailer.sendMultiple(mail({ to: ['ann@example.com', 'bob@example.com'], categories: ['both'] }));
    expect(await found('tag=both')).toHaveLength(2);
  });

  it('can use a template', async () => {
    const made = await ask('POST', '/v3/templates', { name: 'Welcome', generation: 'dynamic' });
    expect(made.body).toMatchObject({ generation: 'dynamic', versions: [] });
    const { id } = made.body as { id: string };
    await ask('POST', `/v3/templates/${id}/versions`, {
      ...{
        name: 'One',
        active: 1,
        template_id: id,
        subject: 'Hello {{name}}',
        html_content: '<p>{{name}}</p>',
      },
    });
    const sent = await send({
      ...{ from: 'news@shop.example', to: 'ann@example.com', templateId: id },
      dynamicTemplateData: { name: 'Ann' },
    });
    expect(await message(sent, '/content')).toMatchObject({ subject: 'Hello Ann', html: '<p>Ann</p>' });
    const { body } = await ask('GET', '/v3/templates?generations=dynamic');
    expect((body as { templates: { id: string }[] }).templates.map((one) => one.id)).toEqual([id]);
    expect((await ask('GET', `/v3/templates/${id}`)).body).toMatchObject({
      versions: [{ active: 1, subject: 'Hello {{name}}' }],
    });
    expect((await ask('DELETE', `/v3/templates/${id}`)).status).toBe(204);
  });

  it('uses the subject of its template, which precedes those of the request', async () => {
    const { test_key: key } = appliance.keys;
    const template = (slug: string, subject: string | null) =>
      appliance.api('POST', '/v1/templates', {
        key,
        body: { name: slug, slug, subject, html: '<p>{{name}}</p>' },
      });
    await template('d-titled', 'Template {{name}}');
    await template('d-untitled', null);
    const sent = (templateId: string) =>
      send({
        ...{ from: 'news@shop.example', subject: 'Request', templateId },
        personalizations: [
          { to: 'ann@example.com', subject: 'Personal', dynamicTemplateData: { name: 'Ann' } },
        ],
      });
    expect((await message(await sent('d-titled')))['subject']).toBe('Template Ann');
    expect((await message(await sent('d-untitled')))['subject']).toBe('Personal');
    const refusal = await refusalOf(sent('d-unknown'));
    expect([refusal.status, refusal.field]).toEqual([400, 'template_id']);
  });

  it.each([
    ['reply_to', { reply_to: { email: 'a@x.example' }, reply_to_list: [{ email: 'b@x.example' }] }],
    [
      'content',
      {
        content: [
          { type: 'text/plain', value: 'One' },
          { type: 'text/plain', value: 'Two' },
        ],
      },
    ],
    [
      'attachments.0.content_id',
      { attachments: [{ content: 'aGk=', filename: 'a.png', disposition: 'inline' }] },
    ],
    [
      'personalizations.0.dynamic_template_data',
      { personalizations: [{ to: [{ email: 'a@x.example' }], dynamic_template_data: { name: 'Ann' } }] },
    ],
    [
      'personalizations.0.substitutions',
      {
        template_id: 'welcome',
        personalizations: [{ to: [{ email: 'a@x.example' }], substitutions: { a: 'b' } }],
      },
    ],
  ])('is refused if %s would be dropped', async (path, more) => {
    const body = {
      personalizations: [{ to: [{ email: 'ann@example.com' }] }],
      from: { email: 'news@shop.example' },
      subject: 'Hello',
      ...('template_id' in more ? {} : { content: [{ type: 'text/plain', value: 'Hello' }] }),
      ...more,
    };
    const { status, field } = await refusalOf(ask('POST', '/v3/mail/send', body));
    expect([status, field]).toEqual([400, path]);
  });

  it('is scheduled in a batch, and canceled with it', async () => {
    const { body } = await ask('POST', '/v3/mail/batch');
    const { batch_id: batchId } = body as { batch_id: string };
    const id = await send(mail({ batchId, sendAt: soon() }));
    const canceled = await ask('POST', '/v3/user/scheduled_sends', { batch_id: batchId, status: 'cancel' });
    expect(canceled).toEqual({ status: 201, body: { batch_id: batchId, status: 'cancel' } });
    expect((await message(id))['status']).toBe('canceled');
  });
});

describe('suppressions', () => {
  const key = () => ({ key: appliance.keys.test_key });

  it.each([
    ['bounces', 'bounce'],
    ['spam_reports', 'complaint'],
    ['unsubscribes', 'unsubscribe'],
  ])('of %s are listed, read and lifted', async (path, reason) => {
    const email = `${reason}@example.com`;
    await appliance.api('POST', '/v1/suppressions', { ...key(), body: { email, reason } });
    const all = await ask('GET', `/v3/suppression/${path}?limit=10&start_time=1`);
    expect(all.body).toMatchObject([{ email, created: expect.any(Number) as number }]);
    expect((await ask('GET', `/v3/suppression/${path}/${email}`)).body).toEqual(all.body);
    expect((await ask('DELETE', `/v3/suppression/${path}/${email}`)).status).toBe(204);
    expect((await ask('GET', `/v3/suppression/${path}`)).body).toEqual([]);
    expect((await refusalOf(ask('DELETE', `/v3/suppression/${path}/${email}`))).status).toBe(404);
  });

  it('of all mail are added, read and lifted', async () => {
    const wanted = { recipient_emails: ['gone@example.com'] };
    expect(await ask('POST', '/v3/asm/suppressions/global', wanted)).toEqual({ status: 201, body: wanted });
    const path = '/v3/asm/suppressions/global/gone@example.com';
    expect((await ask('GET', path)).body).toEqual({ recipient_email: 'gone@example.com' });
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).body).toEqual({});
  });

  it('of bounces have the code and the reply of the server', async () => {
    const replies = [
      { code: 550, enhanced_code: '5.1.1', message: '5.1.1 No such user' },
      { code: 550, message: '550 gone' },
      null,
    ];
    for (const [at, reply] of replies.entries()) {
      const body = { email: `reply${at}@replies.example`, reason: 'bounce', reply };
      await appliance.api('POST', '/v1/suppressions', { ...key(), body });
    }
    const found = async (at: number) =>
      (await ask('GET', `/v3/suppression/bounces/reply${at}@replies.example`)).body;
    expect(await found(0)).toMatchObject([{ reason: '550 5.1.1 No such user', status: '5.1.1' }]);
    expect(await found(1)).toMatchObject([{ reason: '550 gone', status: '550' }]);
    expect(await found(2)).toMatchObject([{ reason: 'The address bounced.', status: '' }]);
    for (const at of [0, 1, 2]) await ask('DELETE', `/v3/suppression/bounces/reply${at}@replies.example`);
  });

  it('exclude blocks, which are messages', async () => {
    await send(mail({ to: 'soft-bounced@simulator.example' }));
    const blocks = async () => (await ask('GET', '/v3/suppression/blocks')).body as object[];
    const [block] = await waitFor('the block', blocks, (found) => found.length > 0);
    expect(block).toMatchObject({
      email: 'soft-bounced@simulator.example',
      reason: expect.stringMatching(/^[45]\d\d /) as string,
      status: expect.stringMatching(/^[45]\.\d\.\d/) as string,
    });
  });
});

describe('statistics', () => {
  it('are returned by day', async () => {
    const [today = ''] = new Date().toISOString().split('T');
    const sums = async () =>
      (await ask('GET', `/v3/stats?start_date=${today}`)).body as { date: string; stats: object[] }[];
    const isCounted = (days: { stats: object[] }[]) => /"delivered":[1-9]/.test(JSON.stringify(days));
    const [day] = await waitFor('the delivery to be counted', sums, isCounted);
    expect(day).toMatchObject({
      date: today,
      stats: [{ metrics: { processed: expect.any(Number) as number } }],
    });
  });
});

describe('contacts', () => {
  it('are saved, added to a list, found and deleted', async () => {
    const { body: list } = await ask('POST', '/v3/marketing/lists', { name: 'Customers' });
    const { id: listId } = list as { id: string };
    const saved = await ask('PUT', '/v3/marketing/contacts', {
      list_ids: [listId],
      contacts: [
        {
          email: 'ann@contacts.example',
          first_name: 'Ann',
          last_name: 'Smith',
          custom_fields: { plan: 'gold' },
        },
        { email: 'bob@contacts.example', city: 'Bremen' },
      ],
    });
    expect(saved).toMatchObject({ status: 202, body: { job_id: expect.any(String) as string } });
    const search = { emails: ['ann@contacts.example', 'nobody@contacts.example'] };
    const { body } = await ask('POST', '/v3/marketing/contacts/search/emails', search);
    const { result } = body as { result: Record<string, { contact: { id: string } }> };
    expect(Object.keys(result)).toEqual(['ann@contacts.example']);
    const id = result['ann@contacts.example']?.contact.id ?? '';
    expect((await ask('GET', `/v3/marketing/contacts/${id}`)).body).toMatchObject({
      ...{ first_name: 'Ann', last_name: 'Smith', custom_fields: { plan: 'gold' } },
    });
    const { body: lists } = await ask('GET', '/v3/marketing/lists');
    expect(lists).toMatchObject({ result: [{ id: listId, name: 'Customers' }] });
    expect((await ask('DELETE', `/v3/marketing/contacts?ids=${id}`)).status).toBe(202);
    expect((await refusalOf(ask('GET', `/v3/marketing/contacts/${id}`))).status).toBe(404);
  });

  it('are saved completely or not at all', async () => {
    const contacts = [{ email: 'half@contacts.example' }, { email: 'nonsense' }];
    const { status, field } = await refusalOf(ask('PUT', '/v3/marketing/contacts', { contacts }));
    expect([status, field]).toEqual([400, 'contacts.1.email']);
    const search = { emails: ['half@contacts.example'] };
    expect((await refusalOf(ask('POST', '/v3/marketing/contacts/search/emails', search))).status).toBe(404);
  });
});

describe('domains', () => {
  it('are created with their records, listed, checked and removed', async () => {
    const made = await ask('POST', '/v3/whitelabel/domains', { domain: 'another.example' });
    const { id, dns } = made.body as { id: string; dns: Record<string, { type: string }> };
    expect(Object.values(dns).map(({ type }) => type)).toContain('txt');
    expect((await ask('GET', '/v3/whitelabel/domains')).body).toMatchObject([
      { id, domain: 'another.example' },
    ]);
    expect((await ask('POST', `/v3/whitelabel/domains/${id}/validate`)).body).toMatchObject({
      id,
      valid: false,
    });
    expect((await ask('DELETE', `/v3/whitelabel/domains/${id}`)).status).toBe(204);
  });
});

describe('unsupported features', () => {
  const refused: [string, () => Promise<unknown>, number, RegExp][] = [
    [
      'a wrong key',
      () => clientWith('svc_test_nonsense').request({ url: '/v3/stats' }),
      401,
      /missing, unknown/,
    ],
    [
      'a number of a group',
      () => mailer.send(mail({ asm: { groupId: 7 } })),
      400,
      /^asm: unsubscribe groups are not supported/,
    ],
    [
      'rehearsal with a live key',
      () => {
        const live = new MailService();
        live.setClient(clientWith(appliance.keys.live_key));
        return live.send(mail({ mailSettings: { sandboxMode: { enable: true } } }));
      },
      400,
      /^mail_settings\.sandbox_mode: is determined by the API key/,
    ],
    [
      'a setting that is switched on',
      () => mailer.send(mail({ mailSettings: { footer: { enable: true, text: 'x' } } })),
      400,
      /^mail_settings\.footer: put the footer/,
    ],
    [
      'more than a request could say',
      () => {
        const to = Array.from({ length: 1000 }, (_, at) => `p${at}@example.com`);
        return mailer.sendMultiple(mail({ to, html: 'x'.repeat(40_000) }));
      },
      413,
      /Send to fewer recipients/,
    ],
    ['an operation that is not there', () => ask('GET', '/v3/user/profile'), 404, /does not support GET/],
  ];
  it.each(refused)("%s is refused in the vendor's error format", async (_, asked, status, sentence) => {
    const refusal = await refusalOf(asked());
    expect(refusal.status).toBe(status);
    expect(refusal.message).toMatch(sentence);
  });
});
