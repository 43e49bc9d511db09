// Tests imports and exports of contacts through the API.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { leaveList } from '../../src/contacts/contact-changes.store.js';

let rig: AudienceRig;
let shared: AudienceRig;
let filesBefore: string[];
beforeAll(async () => {
  shared = await startAudienceRig({ runsTransfers: true });
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
  filesBefore = await filesOf(rig);
});
afterEach(() => rig.close());

const filesOf = ({ program }: AudienceRig) =>
  readdir(join(program.dataFolder, 'transfers')).catch((): string[] => []);
const files = async () => (await filesOf(rig)).filter((file) => !filesBefore.includes(file));
const lines = (...rows: string[]) => `${rows.join('\r\n')}\r\n`;
const put = (fields: Record<string, unknown>) => rig.program.ask('POST', '/v1/contacts', { body: fields });

describe('an import', () => {
  it('adds and updates contacts by address, and reports the numbers', async () => {
    await put({
      email: 'Ann@x.example',
      name: 'Ann',
      tags: ['old'],
      metadata: { city: 'Bremen', plan: 'free', n: 1 },
    });
    await put({ email: 'same@x.example', name: 'Same' });
    const done = await rig.importFile(
      lines(
        'Email;First Name;last_name;Phone;Tags;Plan;metadata',
        'ann@X.example;;;+49 1;"vip,old";pro;"{""n"":2}"',
        'new@x.example;Bob;Builder;;a,b;;',
        'same@x.example;;;;;;',
        '"mult@x.example";Line;two;;;"say',
        '""hi""; twice";',
      ),
      { query: '?tags=import,%20more' },
    );
    expect(done).toMatchObject({
      object: 'import',
      status: 'completed',
      format: 'csv',
      mode: 'upsert',
      total: 4,
      processed: 4,
      created: 2,
      updated: 2,
      unchanged: 0,
      failed: 0,
      error: null,
      tags: ['import', 'more'],
    });
    expect(done.processed_bytes).toBe(done.size_bytes);
    expect(await rig.contact('ann@x.example')).toMatchObject({
      email: 'Ann@x.example',
      name: 'Ann',
      phone: '+49 1',
      tags: ['old', 'vip', 'import', 'more'],
      metadata: { city: 'Bremen', plan: 'free', n: 2, Plan: 'pro' },
    });
    expect(await rig.contact('new@x.example')).toMatchObject({ name: 'Bob Builder', status: 'active' });
    expect(await rig.contact('mult@x.example')).toMatchObject({
      name: 'Line two',
      metadata: { Plan: 'say\r\n"hi"; twice' },
    });
    await expect.poll(files).toEqual([]);
    const again = await rig.importFile('email,name\nann@x.example,Ann\n');
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });

  it.each([
    [
      'application/x-ndjson',
      '{"email":"a@x.example","name":"A","tags":["t,1"],"metadata":{"n":[1]},"extra":true}\n\n"b@x.example"\n{"email":1}\n',
    ],
    [
      'application/json; charset=utf-8',
      '\ufeff[{"email":"a@x.example","name":"A","tags":["t,1"],"metadata":{"n":[1]},"extra":true},"b@x.example",{"email":1}]',
    ],
  ])('accepts %s', async (type, body) => {
    const done = await rig.importFile(Buffer.from(body), { type });
    expect(done).toMatchObject({ status: 'completed', total: 3, processed: 3, created: 2, failed: 1 });
    expect(await rig.contact('a@x.example')).toMatchObject({
      name: 'A',
      tags: ['t,1'],
      metadata: { n: [1], extra: true },
    });
  });

  it('reports refused rows with line and reason, in a form that is safe in spreadsheets', async () => {
    const many = Array.from({ length: 51 }, (_, i) => `t${i}`).join(';');
    const done = await rig.importFile(
      Buffer.concat([
        Buffer.from(
          lines(
            'email,name,tags,status,metadata,note',
            'ok@x.example,,,,,',
            '=cmd(),x,,,,',
            ',nobody,,,,',
            `long@x.example,${'n'.repeat(201)},,,,`,
            `tags@x.example,,${many},,,`,
            'st@x.example,,,gone,,',
            'meta@x.example,,,,[1],',
            'cells@x.example,,,,,,,more',
            'big@x.example,,,,,' + 'm'.repeat(17_000),
            'huge@x.example,,,,,' + 'm'.repeat(70_000),
            '"open@x.example,,,,,',
            'after@x.example,,,,,',
          ),
        ),
        Buffer.from('cut@x.example,Jürgen,,,,J'),
        Buffer.from([0xc3, 0x0a]),
        Buffer.from('nul\0@x.example,,,,,\n'),
      ]),
    );
    expect(done).toMatchObject({ status: 'completed', total: 14, processed: 14, created: 2, failed: 12 });
    const report = await rig.program.ask('GET', `/v1/imports/${done.id as string}/rejected`);
    expect(report.headers['content-type']).toContain('text/csv');
    expect(
      report.text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.slice(0, 60)),
    ).toEqual([
      'line,problem,row',
      '3,The address has no @.,"\'=cmd(),x,,,,"',
      '4,The address is missing.,",nobody,,,,"',
      expect.stringMatching(/^5,The name is longer than 200 characters\./),
      expect.stringMatching(/^6,The contact would have more than 50 tags\./),
      expect.stringMatching(/^7,"status is ""gone"", which does not show/),
      expect.stringMatching(/^8,metadata must be a JSON object\./),
      expect.stringMatching(/^9,"The row has 8 cells, but the header row has 6\./),
      expect.stringMatching(/^10,metadata must not exceed 16 KiB/),
      expect.stringMatching(/^11,The row is longer than 64 KiB\./),
      expect.stringMatching(/^12,The quotation marks of the row do not match\./),
      expect.stringMatching(/^14,The row is not UTF-8\./),
      expect.stringMatching(/^15,The row contains a NUL character\./),
    ]);
    const german = await rig.program.ask('GET', `/v1/imports/${done.id as string}/rejected`, {
      headers: { 'accept-language': 'de' },
    });
    expect(german.headers['content-language']).toBe('de');
    expect(german.text.split('\r\n')[1]).toBe('3,Der Adresse fehlt das @.,"\'=cmd(),x,,,,"');
    expect(german.text.split('\r\n').length).toBe(report.text.split('\r\n').length);
    expect(german.text).not.toMatch(/,"?(?:The|A) /);
  });

  it('does not change suppressed contacts, and suppresses new ones that opted out', async () => {
    await put({ email: 'left@x.example', status: 'unsubscribed' });
    const done = await rig.importFile(
      lines('email,status', 'left@x.example,active', 'out@x.example,bounced', 'in@x.example,'),
    );
    expect(done).toMatchObject({ created: 2, unchanged: 1 });
    expect((await rig.contact('left@x.example')).status).toBe('unsubscribed');
    expect((await rig.contact('out@x.example')).status).toBe('bounced');
    const check = await rig.program.ask('GET', '/v1/suppressions/check?email=out@x.example');
    expect(check.json).toMatchObject({ suppressed: true, reason: 'bounce' });
  });

  it('adds contacts to a list unless they left it', async () => {
    const list = await rig.addList({ name: 'News' });
    const { number } = (await rig.program.store.lists.list(await rig.program.scopeOf('live'), list)) ?? {};
    await rig.program.store.commit([
      leaveList({
        listNumber: number ?? 0,
        emailKey: 'left@x.example',
        contactId: null,
        unsubscribed: true,
        at: Date.now(),
      }),
    ]);
    const body = lines('email', 'a@x.example', 'left@x.example', 'b@x.example', 'A@x.example');
    const done = await rig.importFile(body, { query: `?list_id=${list}` });
    expect(done).toMatchObject({ created: 3, unchanged: 1, updated: 0, not_rejoined: 1, list_id: list });
    const counted = await rig.program.store.lists.list(await rig.program.scopeOf('live'), list);
    expect(counted?.contacts).toBe(2);
    expect(await rig.importFile(body, { query: `?list_id=${list}` })).toMatchObject({
      created: 0,
      unchanged: 4,
    });
    const lost = await rig.postImport(body, { query: '?list_id=lst_none' });
    expect([lost.status, lost.json.error.code]).toEqual([422, 'list_not_found']);
  });

  it('can be restricted to new or to existing contacts, and to a dry run', async () => {
    await put({ email: 'old@x.example', name: 'Old' });
    const body = lines('email,name', 'old@x.example,New', 'new@x.example,New');
    expect(await rig.importFile(body, { query: '?dry_run=true' })).toMatchObject({
      created: 1,
      updated: 1,
      dry_run: true,
    });
    expect((await rig.contact('old@x.example')).name).toBe('Old');
    expect(await rig.importFile(body, { query: '?mode=update_only' })).toMatchObject({
      created: 0,
      updated: 1,
      skipped: 1,
    });
    await put({ email: 'old@x.example', name: 'Old' });
    expect(await rig.importFile(body, { query: '?mode=create_only' })).toMatchObject({
      created: 1,
      updated: 0,
      skipped: 1,
    });
    expect((await rig.contact('old@x.example')).name).toBe('Old');
  });

  it('counts each contact once, even if the file repeats it', async () => {
    const rows = Array.from({ length: 600 }, (_, i) => `p${i % 150}@x.example,N${i},t${i % 7}`);
    const done = await rig.importFile(lines('email,name,tags', ...rows));
    expect(done).toMatchObject({ total: 600, processed: 600, created: 150, updated: 450, failed: 0 });
    const first = await rig.contact('p0@x.example');
    expect(first).toMatchObject({ name: 'N450', tags: ['t0', 't3', 't6', 't2'] });
    expect((await rig.program.ask('GET', '/v1/contacts?limit=1')).json.total).toBe(150);
  });

  it.each<[string, string | Buffer, string, number, string]>([
    ['no header', 'a,b\n1,2\n', 'text/csv', 422, 'validation_error'],
    ['nothing', '', 'text/csv', 422, 'validation_error'],
    ['a column twice', 'email,Email\n', 'text/csv', 422, 'validation_error'],
    ['a workbook', Buffer.from('PK\x03\x04rest'), 'application/vnd.ms-excel', 422, 'validation_error'],
    ['no known charset', 'email\n', 'text/csv; charset=klingon', 415, 'unsupported_media_type'],
    ['no array', '{}', 'application/json', 400, 'bad_request'],
    ['another type', 'x', 'text/html', 415, 'unsupported_media_type'],
  ])('with %s is refused and leaves no file', async (_name, body, type, status, code) => {
    const answer = await rig.postImport(Readable.from([Buffer.from(body as string)]), { type });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    await expect.poll(files).toEqual([]);
  });

  it('of addresses alone needs no header', async () => {
    expect(await rig.importFile('a@x.example\nb@x.example\n')).toMatchObject({ total: 2, created: 2 });
  });

  it('fails at a premature end of JSON and keeps the rows before', async () => {
    const done = await rig.importFile('["a@x.example","b@x.exa', { type: 'application/json' });
    expect(done).toMatchObject({
      status: 'failed',
      created: 1,
      error: expect.stringContaining('is incomplete'),
    });
  });

  it('stops at its size limit and leaves no file', async () => {
    await rig.close();
    rig = await startAudienceRig({ runsTransfers: true, settings: { importSizeLimitBytes: 10_000 } });
    const row = 'p@x.example\n';
    const fits = `email\n${row.repeat(800)}`;
    expect((await rig.postImport(fits)).status).toBe(202);
    const body = Readable.from([Buffer.from(fits), Buffer.from(fits)]);
    const answer = await rig.postImport(body);
    expect([answer.status, answer.json.error.code]).toEqual([413, 'payload_too_large']);
    expect((await rig.program.ask('GET', '/v1/imports')).json.data).toHaveLength(1);
    await rig.ended('imports', (await rig.program.ask('GET', '/v1/imports')).json.data[0].id as string);
    await expect.poll(files).toEqual([]);
  });

  it('can be canceled once', async () => {
    rig = await startAudienceRig({ runsTransfers: true });
    await rig.transfers.stop();
    const { id } = (await rig.postImport('email\na@x.example\n')).json as { id: string };
    expect((await rig.program.ask('GET', `/v1/imports/${id}`)).json).toMatchObject({
      status: 'queued',
      total: null,
    });
    const canceled = await rig.program.ask('POST', `/v1/imports/${id}/cancel`);
    expect(canceled.json).toMatchObject({ status: 'canceled', finished_at: expect.any(String) });
    await expect.poll(files).toEqual([]);
    expect((await rig.program.ask('POST', `/v1/imports/${id}/cancel`)).status).toBe(409);
    expect((await rig.program.ask('GET', '/v1/contacts')).json.total).toBe(0);
  });

  it('waits while twenty others run', async () => {
    rig = await startAudienceRig({ runsTransfers: true });
    await rig.transfers.stop();
    const answers = [];
    for (let i = 0; i < 21; i++) answers.push((await rig.postImport('email\na@x.example\n')).status);
    expect(answers.slice(19)).toEqual([202, 409]);
  });

  it('refuses unknown fields', async () => {
    expect((await rig.postImport('email\n', { query: '?mode=replace' })).status).toBe(422);
    expect((await rig.postImport('email\n', { query: '?dryrun=true' })).status).toBe(422);
  });
});

describe('the owner of an import', () => {
  it('is the sub-tenant of the key, which sees only its own', async () => {
    const tenant = await rig.program.addTenant('acme');
    const key = await rig.program.addKey({ subTenantId: tenant });
    await rig.importFile('email\nours@x.example\n');
    const taken = await rig.postImport('email,sub_tenant_id\na@x.example,\nb@x.example,tnt_other\n', { key });
    const done = await rig.ended('imports', taken.json.id as string);
    expect(done).toMatchObject({ created: 1, failed: 1, sub_tenant_id: tenant });
    expect((await rig.program.ask('GET', '/v1/imports', { key })).json.data).toHaveLength(1);
    expect((await rig.program.ask('GET', '/v1/imports')).json.data).toHaveLength(2);
    const [ours] = (await rig.program.ask('GET', '/v1/imports')).json.data.slice(-1);
    expect((await rig.program.ask('GET', `/v1/imports/${ours.id as string}`, { key })).status).toBe(404);
    expect((await rig.program.ask('POST', `/v1/imports/${ours.id as string}/cancel`, { key })).status).toBe(
      404,
    );
    const both = await rig.importFile(`email,sub_tenant_id\na@x.example,${tenant}\na@x.example,\n`);
    expect(both).toMatchObject({ created: 1, unchanged: 1 });
  });
});

describe('an export', () => {
  const NASTY = [
    {
      email: 'a@x.example',
      name: '=1+1',
      phone: '+49',
      tags: ['a,b', 'c;d', ' e', 'say "x"', '=t'],
      metadata: {},
    },
    {
      email: 'b@x.example',
      name: ' "Bob"; B',
      tags: [],
      metadata: { n: 1, deep: { x: ['ü\r\n;'] }, '=k': '=v' },
    },
    { email: "'+c@x.example", name: "'=c", phone: null, tags: ['t'], metadata: { __proto: null } },
    { email: 'd@x.example', name: null, status: 'unsubscribed' },
  ];

  it.each([
    ['csv', 'text/csv'],
    ['ndjson', 'application/x-ndjson'],
    ['json', 'application/json'],
  ])('as %s can be imported again without changes', async (format, type) => {
    const tenant = await rig.program.addTenant('acme');
    for (const fields of NASTY) expect((await put(fields)).status, fields.email).toBe(201);
    await put({ email: 'a@x.example', name: 'Theirs', sub_tenant_id: tenant });
    const before = (await rig.program.ask('GET', '/v1/contacts')).json;
    const file = await rig.download(`/v1/exports/contacts?format=${format}`);
    expect(file.status).toBe(200);
    if (format === 'csv') expect(file.text).toContain("a@x.example,'=1+1,'+49,");
    const again = await rig.importFile(Buffer.from(file.text), { type });
    expect(again).toMatchObject({ status: 'completed', total: 5, unchanged: 5, failed: 0 });
    for (const { id } of before.data as { id: string }[])
      await rig.program.ask('DELETE', `/v1/contacts/${id}`);
    expect(await rig.importFile(Buffer.from(file.text), { type })).toMatchObject({ created: 5, failed: 0 });
    const after = (await rig.program.ask('GET', '/v1/contacts')).json;
    const bare = (list: { data: Record<string, unknown>[] }) =>
      list.data.map((one) => ({ ...one, id: '', created_at: '', updated_at: '' }));
    expect(bare(after)).toEqual(bare(before));
  });

  it('in the background produces the same file, whole or in parts', async () => {
    for (const fields of NASTY) await put(fields);
    for (const format of ['csv', 'ndjson', 'json']) {
      const made = await rig.program.ask('POST', '/v1/exports', { body: { format } });
      expect([made.status, made.json.object]).toEqual([202, 'export']);
      const done = await rig.ended('exports', made.json.id as string);
      expect(done).toMatchObject({ status: 'completed', total: 4, processed: 4 });
      const path = `/v1/exports/${done.id as string}/file`;
      const file = await rig.download(path);
      const streamed = await rig.download(`/v1/exports/contacts?format=${format}`);
      expect(file.text).toBe(streamed.text);
      const part = await rig.download(path, { range: 'bytes=5-9' });
      expect([part.status, part.text]).toEqual([206, Buffer.from(file.text).subarray(5, 10).toString()]);
    }
    const none = await rig.program.ask('POST', '/v1/exports', { body: { tag: 'nobody' } });
    const empty = await rig.ended('exports', none.json.id as string);
    expect((await rig.download(`/v1/exports/${empty.id as string}/file`)).text).toMatch(/^email,name/);
  });

  it('contains the rows that match the filters and the key', async () => {
    const tenant = await rig.program.addTenant('acme');
    const key = await rig.program.addKey({ subTenantId: tenant });
    const list = await rig.addList({ name: 'News' });
    await rig.importFile('email,tags\na@x.example,t\nb@x.example,\n', { query: `?list_id=${list}` });
    await rig.importFile(`email,tags,status\nc@x.example,t,\nd@x.example,t,bounced\n`);
    await rig.importFile(`email,tags\ne@x.example,t\n`, { key });
    const got = async (query: string, as?: string) =>
      (
        await rig.download(`/v1/exports/contacts?format=ndjson${query}`, as === undefined ? {} : { key: as })
      ).text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { email: string }).email.charAt(0))
        .join('');
    expect(await got('')).toBe('abcde');
    expect(await got('&tag=t')).toBe('acde');
    expect(await got('&tag=t&status=active')).toBe('ace');
    expect(await got('&status=bounced')).toBe('d');
    expect(await got(`&list_id=${list}`)).toBe('ab');
    expect(await got(`&list_id=${list}&tag=t`)).toBe('a');
    expect(await got('', key)).toBe('e');
    expect(await got('&tag=t', key)).toBe('e');
    expect((await rig.program.ask('GET', '/v1/exports/contacts?list_id=lst_x')).status).toBe(422);
    expect((await rig.program.ask('GET', `/v1/exports/contacts?list_id=${list}`, { key })).status).toBe(422);
  });
});
