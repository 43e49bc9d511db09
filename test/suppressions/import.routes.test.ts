// Tests import and export of suppressions through the API.
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sized } from '../support/run-size.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { waitFor } from '../support/wait.js';

let server: Awaited<ReturnType<typeof startApi>>;
let api: StartedApi;
let tenant: string;
beforeAll(async () => {
  server = await startApi();
});
beforeEach(async () => {
  api = await server.inNewWorkspace();
  tenant = await api.addTenant('acme');
});
afterAll(() => server.close());

const CSV = 'text/csv; charset=utf-8';
const send = (
  body: string | Buffer | Readable,
  { type = CSV, ...rest }: { type?: string; key?: string; headers?: Record<string, string> } = {},
) =>
  api.ask('POST', '/v1/suppressions/import', {
    ...rest,
    body,
    headers: { 'content-type': type, ...rest.headers },
  });
const listed = async (query = '', key?: string) =>
  (
    (await api.ask('GET', `/v1/suppressions?limit=100${query}`, key === undefined ? {} : { key })).json
      .data as { email: string; reason: string; sub_tenant_id: string | null }[]
  ).map(({ email, reason, sub_tenant_id: of }) => [email, reason, of === null ? '' : 'tenant']);
const addresses = (count: number, prefix = 'a') =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@x.example`);

describe('the import', () => {
  it('adds new rows, counts existing ones, and reports errors with their positions', async () => {
    await api.ask('POST', '/v1/suppressions', { body: { email: 'Old@X.example', reason: 'bounce' } });
    const answer = await send(
      [
        'email,reason,sub_tenant_id',
        'ann@x.example,unsubscribe,',
        'OLD@x.EXAMPLE,complaint,',
        `ann@x.example,complaint,${tenant}`,
        'Ann@x.example,manual,',
        'bob@bücher.example,,',
        'nonsense,bounce,',
        'eve@x.example,gone,',
        'eve@x.example,,tnt_00000000000000000000000000',
        'eve@x.example,,nobody',
        ',bounce,',
      ].join('\r\n'),
    );
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        object: 'suppression_import',
        total: 10,
        created: 3,
        existing: 2,
        failed: 5,
        errors: [
          { line: 7, email: 'nonsense', message: 'The address has no @.' },
          { line: 8, email: 'eve@x.example', message: expect.stringContaining('reason must be one of') },
          { line: 9, email: 'eve@x.example', message: 'The sub-tenant does not exist.' },
          { line: 10, email: 'eve@x.example', message: 'The sub-tenant does not exist.' },
          { line: 11, email: '', message: 'The address is missing.' },
        ],
      },
    ]);
    expect((await listed()).toSorted()).toEqual([
      ['Old@X.example', 'bounce', ''],
      ['ann@x.example', 'complaint', 'tenant'],
      ['ann@x.example', 'unsubscribe', ''],
      ['bob@bücher.example', 'manual', ''],
    ]);
    const known = await api.ask('GET', '/v1/suppressions/check?email=BOB@xn--bcher-kva.example');
    expect(known.json).toMatchObject({ suppressed: true });
  });

  it('changes nothing when it is repeated', async () => {
    const body = addresses(603).join('\n');
    const first = await send(body);
    expect(first.json).toMatchObject({ total: 603, created: 603, existing: 0, failed: 0, errors: [] });
    expect((await send(body)).json).toMatchObject({ total: 603, created: 0, existing: 603, failed: 0 });
  });

  it('creates each row once in simultaneous requests', async () => {
    const count = sized({ small: 600, full: 1_500 });
    const body = addresses(count).join('\n');
    const answers = await Promise.all([send(body), send(body), send(body)]);
    const created = answers.map((one) => one.json.created as number);
    expect(created.reduce((sum, one) => sum + one, 0)).toBe(count);
    for (const { json } of answers) expect(Number(json.created) + Number(json.existing)).toBe(count);
  });

  it.each([
    ['application/x-ndjson', '{"email":"a@x.example","reason":"bounce"}\n"b@x.example"\n'],
    ['application/jsonl', '{"email":"a@x.example","reason":"bounce"}\n"b@x.example"\n'],
    ['application/json', '[{"email":"a@x.example","reason":"bounce"},"b@x.example"]'],
    ['Application/JSON; charset=utf-8', '["b@x.example",{"email":"a@x.example","reason":"BOUNCE"}]'],
  ])('accepts %s', async (type, body) => {
    expect((await send(body, { type })).json).toMatchObject({ total: 2, created: 2, failed: 0 });
    expect((await listed()).toSorted()).toEqual([
      ['a@x.example', 'bounce', ''],
      ['b@x.example', 'manual', ''],
    ]);
  });

  it('shows the first hundred of many errors', async () => {
    const answer = await send(`${'nonsense\n'.repeat(250)}ann@x.example\n`);
    expect(answer.json).toMatchObject({ total: 251, created: 1, failed: 250 });
    expect(answer.json.errors).toHaveLength(100);
    expect(answer.json.errors[99].line).toBe(100);
  });

  it('adds only to the sub-tenant of a pinned key', async () => {
    const key = await api.addKey({ subTenantId: tenant });
    const other = await api.addTenant('other');
    const rows = ['a@x.example,', `b@x.example,${tenant}`, `c@x.example,${other}`];
    const answer = await send(`email,sub_tenant_id\n${rows.join('\n')}`, { key });
    expect(answer.json).toMatchObject({ created: 2, failed: 1, errors: [{ line: 4 }] });
    expect((await listed()).toSorted()).toEqual([
      ['a@x.example', 'manual', 'tenant'],
      ['b@x.example', 'manual', 'tenant'],
    ]);
    const narrowed = await send('d@x.example', { headers: { 'x-sub-tenant-id': other } });
    expect(narrowed.json).toMatchObject({ created: 1 });
    expect(await listed(`&sub_tenant_id=${other}`)).toEqual([['d@x.example', 'manual', 'tenant']]);
  });

  it('stays within its environment', async () => {
    expect((await send('a@x.example', { key: api.testKey })).json).toMatchObject({ created: 1 });
    expect(await listed()).toEqual([]);
    expect(await listed('', api.testKey)).toHaveLength(1);
  });

  it('requires a key with the permission `full`', async () => {
    for (const permission of ['read', 'send'] as const) {
      expect((await send('a@x.example', { key: await api.addKey({ permission }) })).status).toBe(403);
    }
    expect(await listed()).toEqual([]);
  });

  it('of an empty body adds nothing', async () => {
    expect((await send('')).json).toMatchObject({ total: 0, created: 0 });
  });

  it.each(['text/html', 'application/x-www-form-urlencoded'])('refuses %s', async (type) => {
    const answer = await send('a@x.example', { type });
    expect([answer.status, answer.json.error.code]).toEqual([415, 'unsupported_media_type']);
    expect(answer.json.error.message).toContain('text/csv');
  });

  const FORM =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="s.csv"\r\n\r\nemail,reason\na@x.example,bounce\r\n--x--\r\n';
  it.each<[string, string, string | Buffer]>([
    ['a form', 'multipart/form-data; boundary=x', FORM],
    ['text/plain', 'text/plain', 'email,reason\na@x.example,bounce\n'],
    ['the type of Excel', 'application/vnd.ms-excel', 'sep=;\nE-Mail;Reason\na@x.example;bounce\n'],
    ['JSON lines as text/plain', 'text/plain', '{"email":"a@x.example","reason":"bounce"}\n'],
    [
      'a list of a vendor as octets',
      'application/octet-stream',
      '{"items":[{"email":"a@x.example","reason":"bounce"}]}',
    ],
    ['an address with a name', CSV, 'email,reason\n"Ann <a@x.example>",bounce\n'],
    ['UTF-16', CSV, Buffer.from('\ufeffemail\treason\na@x.example\tbounce\n', 'utf16le')],
  ])('reads %s', async (_name, type, body) => {
    expect((await send(body, { type })).json).toMatchObject({ total: 1, created: 1, failed: 0 });
    expect(await listed()).toEqual([['a@x.example', 'bounce', '']]);
  });

  it('reads addresses in Windows-1252, declared or not', async () => {
    const body = Buffer.from('email\nj\xf6rg@x.example\n', 'latin1');
    const types = ['text/csv; charset=windows-1252', 'text/csv'];
    for (const type of types)
      expect((await send(body, { type })).json).toMatchObject({ total: 1, failed: 0 });
    expect(await listed()).toEqual([['jörg@x.example', 'manual', '']]);
  });

  it('refuses a header with unknown columns before adding anything', async () => {
    const answer = await send('email,sub_tenant\na@x.example,acme');
    expect([answer.status, answer.json.error.param]).toEqual([422, 'sub_tenant']);
    expect(await listed()).toEqual([]);
  });

  it('refuses an invalid array, and reports the rows stored before', async () => {
    const body = JSON.stringify(addresses(700)).slice(0, -1);
    const answer = await send(body, { type: 'application/json' });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'bad_request']);
    expect(answer.json.error.details).toEqual({ imported: { created: 500, existing: 0, failed: 0 } });
  });

  describe('from another service', () => {
    const reasons = async () => {
      const { json } = await api.ask('GET', '/v1/suppressions');
      const rows = json.data as { email: string; reason: string }[];
      return Object.fromEntries(rows.map(({ email, reason }) => [email.split('@')[0], reason]));
    };
    const JSON_TYPE = 'application/json';
    const mailchimp = '"Email Address","First Name","First Name",LEID,';

    it.each<[string, string, string, Record<string, string>]>([
      [
        'Postmark',
        CSV,
        '"EmailAddress","SuppressionReason","Origin","CreatedAt"\n"b@x.example","HardBounce","Recipient","2020-01-01"\n' +
          '"c@x.example","SpamComplaint","Recipient","2020-01-01"\n"u@x.example","ManualSuppression","Recipient","2020-01-01"\n' +
          '"m@x.example","ManualSuppression","Customer","2020-01-01"\n',
        { b: 'bounce', c: 'complaint', u: 'unsubscribe', m: 'manual' },
      ],
      [
        'Postmark as JSON',
        JSON_TYPE,
        '{"Suppressions":[{"EmailAddress":"b@x.example","SuppressionReason":"HardBounce","Origin":"Recipient","CreatedAt":"2020-01-01"}]}',
        { b: 'bounce' },
      ],
      [
        'Mailgun, bounces',
        CSV,
        'address,code,error,created_at\nb@x.example,550,"no, never",x\n',
        { b: 'bounce' },
      ],
      ['Mailgun, complaints', CSV, 'address,created_at\nc@x.example,x\n', { c: 'complaint' }],
      ['Mailgun, unsubscribes', CSV, 'address,tags,created_at\nu@x.example,*,x\n', { u: 'unsubscribe' }],
      [
        'Mailgun as JSON',
        JSON_TYPE,
        '{"items":[{"address":"u@x.example","tags":["*"],"created_at":"x"},{"address":"b@x.example","code":"550","error":"","created_at":"x"}],"paging":{"next":"[{"}}',
        { u: 'unsubscribe', b: 'bounce' },
      ],
      [
        'Amazon SES',
        JSON_TYPE,
        '{\n "SuppressedDestinationSummaries": [{"EmailAddress":"b@x.example","Reason":"BOUNCE","LastUpdateTime":1},\n' +
          '{"EmailAddress":"c@x.example","Reason":"COMPLAINT","LastUpdateTime":"2020-01-01"}]\n}\n',
        { b: 'bounce', c: 'complaint' },
      ],
      [
        'Amazon SES as CSV',
        CSV,
        'emailAddress,reason,lastUpdateTime\nb@x.example,BOUNCE,1\n',
        { b: 'bounce' },
      ],
      [
        'SendGrid, bounces',
        CSV,
        'status,reason,email,created\n5.1.1,"550 5.1.1 no, never",b@x.example,1\n4.2.2,full,t@x.example,1\n',
        { b: 'bounce' },
      ],
      ['SendGrid, spam reports', CSV, 'email,ip,created\nc@x.example,192.0.2.1,1\n', { c: 'complaint' }],
      ['SendGrid, unsubscribes', CSV, 'email,created\nu@x.example,1\n', { u: 'unsubscribe' }],
      [
        'SendGrid as JSON',
        JSON_TYPE,
        '[{"created":1,"email":"b@x.example","reason":"550 no","status":"5.1.1"},{"created":1,"email":"u@x.example"},' +
          '{"created":1,"email":"c@x.example","ip":"192.0.2.1"},{"email":"g@x.example","group_id":1,"group_name":"News","created_at":1}]',
        { b: 'bounce', u: 'unsubscribe', c: 'complaint', g: 'unsubscribe' },
      ],
      [
        'Mailchimp, unsubscribed',
        CSV,
        `${mailchimp}UNSUB_TIME,UNSUB_REASON\nu@x.example,A,B,1,"2026-01-02 03:04:05",N/A\nin@x.example,A,B,1,,\n`,
        { u: 'unsubscribe' },
      ],
      [
        'Mailchimp, cleaned',
        CSV,
        `${mailchimp}CLEAN_TIME\nb@x.example,A,B,1,"2026-01-02 03:04:05"\n`,
        { b: 'bounce' },
      ],
    ])('an export of %s keeps its reasons', async (_name, type, body, expected) => {
      const answer = await send(body, { type });
      expect([answer.status, answer.json.created]).toEqual([200, Object.keys(expected).length]);
      expect(await reasons()).toEqual(expected);
      expect((await send(body, { type })).json).toMatchObject({
        created: 0,
        existing: Object.keys(expected).length,
      });
    });
  });

  it.each([
    ['subscribers of Mailchimp', CSV, '"Email Address","First Name",OPTIN_TIME\na@x.example,A,x\n'],
    ['columns of no address', CSV, 'name,city\nAnn,Bremen\n'],
    ['objects of no address', 'application/json', '[{"name":"Ann"},{"name":"Bob"}]'],
    ['reasons that are not known', CSV, 'email,reason\na@x.example,gone\n'],
    ['a picture', CSV, Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ])('without readable entries is refused: %s', async (_name, type, body) => {
    const answer = await send(body, { type });
    expect([answer.status, answer.json.error.code]).toEqual([422, 'validation_error']);
    expect(answer.json.error.details.fields).toHaveLength(1);
    expect(await listed()).toEqual([]);
  });

  it('refuses query parameters', async () => {
    const answer = await api.ask('POST', '/v1/suppressions/import?dry_run=1', {
      body: 'a@x.example',
      headers: { 'content-type': CSV },
    });
    expect([answer.status, answer.json.error.param]).toEqual([422, 'dry_run']);
  });

  it('ends at 50 MiB, and keeps earlier rows', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'y');
    const body = Readable.from([
      `${addresses(600).join('\n')}\n`,
      ...Array.from({ length: 51 }, () => piece),
    ]);
    const answer = await send(body);
    expect([answer.status, answer.json.error.code]).toEqual([413, 'payload_too_large']);
    expect(answer.json.error.message).toContain(String(50 * 1024 * 1024));
    expect((await send(addresses(600).join('\n'))).json).toMatchObject({ created: 100, existing: 500 });
  });
});

describe('the import over a socket', () => {
  let port: number;
  beforeAll(async () => {
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = server.app.server.address() as AddressInfo);
  });
  const post = (headers: Record<string, string> = {}) =>
    request({
      port,
      method: 'POST',
      path: '/v1/suppressions/import',
      headers: { authorization: `Bearer ${api.liveKey}`, 'content-type': 'text/csv', ...headers },
    });

  it.each([['chunked'], ['with a length']])('keeps rows of a client that disconnects, %s', async (how) => {
    const client = post(how === 'chunked' ? {} : { 'content-length': '1000000' });
    client.on('error', () => undefined);
    client.write(`${addresses(1200).join('\n')}\nlast@x.exam`);
    const count = async () =>
      (await api.ask('GET', '/v1/suppressions?limit=1&q=a999@')).json.data.length as number;
    await waitFor('1,000 are kept', async () => (await count()) === 1);
    client.destroy();
    // an incomplete batch is not stored, and certainly not half an address
    const check = await api.ask('GET', '/v1/suppressions/check?email=a1000@x.example');
    expect(check.json).toMatchObject({ suppressed: false });
    const again = await send(`${addresses(1200).join('\n')}\n`);
    expect(again.json).toMatchObject({ total: 1200, created: 200, existing: 1000 });
  });

  it('responds to a client that is still sending', async () => {
    const client = post();
    const answered = new Promise<number | undefined>((resolve, reject) => {
      client.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      client.on('error', reject);
    });
    client.write('email,nonsense\n');
    for (let i = 0; i < 50; i++) {
      await new Promise((resolve) => client.write('ann@x.example\n'.repeat(5000), resolve));
    }
    client.end();
    expect(await answered).toBe(422);
  });
});

describe('the export', () => {
  const fetch = async (query = '', headers: Record<string, string> = {}, key = api.liveKey) => {
    const response = await api.app.inject({
      method: 'GET',
      url: `/v1/suppressions/export${query}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    return { status: response.statusCode, headers: response.headers, text: response.body };
  };

  beforeEach(async () => {
    await api.ask('POST', '/v1/suppressions', { body: { email: 'Ann@X.example', reason: 'bounce' } });
    await api.ask('POST', '/v1/suppressions', { body: { email: '=cmd|calc@x.example' } });
    await api.ask('POST', '/v1/suppressions', { body: { email: '+t@x.example', sub_tenant_id: tenant } });
  });

  it('is a CSV file with a header and escaped formulas', async () => {
    const answer = await fetch();
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="suppressions-live-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const lines = answer.text.split('\r\n');
    expect(lines[0]).toBe('email,reason,sub_tenant_id,message_id,created_at');
    expect(lines[1]).toMatch(new RegExp(`^'\\+t@x\\.example,manual,${tenant},,\\d{4}-.*Z$`));
    expect(lines[2]).toMatch(/^'=cmd\|calc@x\.example,manual,,,/);
    expect(lines[3]).toMatch(/^Ann@X\.example,bounce,,,/);
    expect(lines.slice(4)).toEqual(['']);
  });

  it.each([
    ['?format=jsonl', {}],
    ['', { accept: 'application/x-ndjson' }],
    ['', { accept: 'application/json' }],
  ])('is JSON lines for %j %j', async (query, headers) => {
    const answer = await fetch(query, headers);
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const rows = answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const list = await api.ask('GET', '/v1/suppressions');
    expect(rows).toEqual(list.json.data);
  });

  it.each([
    ['csv', CSV],
    ['jsonl', 'application/x-ndjson'],
  ])('as %s can be imported again without changes', async (format, type) => {
    const file = (await fetch(`?format=${format}`)).text;
    for (const { id } of (await api.ask('GET', '/v1/suppressions')).json.data as { id: string }[]) {
      await api.ask('DELETE', `/v1/suppressions/${id}`);
    }
    expect(await listed()).toEqual([]);
    expect((await send(file, { type })).json).toMatchObject({ total: 3, created: 3, failed: 0 });
    expect((await listed()).toSorted()).toEqual([
      ['+t@x.example', 'manual', 'tenant'],
      ['=cmd|calc@x.example', 'manual', ''],
      ['Ann@X.example', 'bounce', ''],
    ]);
  });

  it('contains the rows that match the filters and the key', async () => {
    const emails = (text: string) =>
      text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]);
    expect(emails((await fetch('?reason=bounce')).text)).toEqual(['Ann@X.example']);
    expect(emails((await fetch(`?sub_tenant_id=${tenant}`)).text)).toEqual(["'+t@x.example"]);
    expect(emails((await fetch('?q=cmd')).text)).toEqual(["'=cmd|calc@x.example"]);
    expect(emails((await fetch('?created_before=2000-01-01')).text)).toEqual([]);
    const key = await api.addKey({ subTenantId: tenant, permission: 'read' });
    expect(emails((await fetch('', {}, key)).text)).toEqual(["'+t@x.example"]);
    expect(emails((await fetch('?sub_tenant_id=tnt_other', {}, key)).text)).toEqual([]);
    expect(emails((await fetch('', {}, api.testKey)).text)).toEqual([]);
  });

  it('continues over many pages, with each row once', async () => {
    const count = sized({ small: 1_200, full: 2_500 });
    await send(addresses(count).join('\n'));
    const emails = (await fetch('?format=jsonl')).text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { email: string }).email);
    expect(emails).toHaveLength(count + 3);
    expect(new Set(emails).size).toBe(count + 3);
  });

  it('refuses another format and an unknown filter', async () => {
    expect((await fetch('?format=xlsx')).text).toContain('"param":"format"');
    expect((await fetch('?limit=5')).text).toContain('"param":"limit"');
    expect((await api.ask('HEAD', '/v1/suppressions/export')).status).toBe(405);
  });
});
