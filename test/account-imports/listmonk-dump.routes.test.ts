// Tests imports of dumps of listmonk's database, which pg_dump 15 wrote from listmonk's own schema.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSqlDump } from '../../src/account-imports/uploads/sql-dump.js';
import { countOf } from '../support/account-import-rig.js';
import { interrupt, startAccountUploadRig, type AccountUploadRig } from '../support/account-upload-rig.js';

let rig: AccountUploadRig;
beforeEach(async () => {
  rig = await startAccountUploadRig();
});
afterEach(() => rig.close());

const dump = (name: string): string =>
  readFileSync(`${import.meta.dirname}/dumps/listmonk-${name}.sql`, 'utf8');

const counts = (field: string) => [
  countOf('suppressions', 3, {
    [field]: field === 'unchanged' ? 3 : 2,
    ...(field === 'created' ? { unchanged: 1 } : {}),
  }),
  countOf('lists', 2, { [field]: 2 }),
  countOf('contacts', 4, { [field]: 4 }),
  countOf('templates', 2, { [field]: 1, left_out: 1 }),
];

describe('a dump of listmonk', () => {
  it.each([
    ['with COPY', () => dump('copy')],
    ['with INSERT', () => dump('inserts')],
    ['with gzip', () => gzipSync(dump('copy'))],
  ])('%s becomes the same objects, and a second import changes nothing', async (_name, file) => {
    const job = await rig.imported('listmonk', file());
    expect(job).toMatchObject({ status: 'completed', error: null, counts: counts('created') });
    const contacts = new Map((await rig.all('/v1/contacts')).map((one) => [one['email'], one]));
    expect(contacts.get('ann@x.example')).toMatchObject({
      ...{ name: 'Ann Müller', status: 'active' },
      metadata: { city: 'Bremen', note: `tab\there \\ "quoted" it's`, nested: { a: [1, 2] } },
    });
    expect(contacts.get('bob@x.example')).toMatchObject({ name: null, status: 'active' });
    expect(contacts.get('cid@x.example')).toMatchObject({ status: 'complained' });
    expect(contacts.get('dan@x.example')).toMatchObject({ status: 'bounced' });
    const lists = await rig.all('/v1/lists');
    const news = lists.find(({ name }) => name === 'Weekly; news');
    expect(news).toMatchObject({ description: "It's the 'weekly' one", double_opt_in: true });
    const path = `/v1/lists/${String(news?.['id'])}/contacts`;
    expect(await rig.all(path)).toMatchObject([{ email: 'ann@x.example' }]);
    expect(await rig.all(`${path}?list_state=pending`)).toMatchObject([{ email: 'bob@x.example' }]);
    const [template] = await rig.all('/v1/templates');
    const { json } = await rig.program.ask('GET', `/v1/templates/${String(template?.['id'])}`);
    expect(json).toMatchObject({
      ...{ name: 'Receipt', subject: 'Hi {{first_name}}' },
      html: "<p>Order {{order}}</p>\n<p>it's \\ fine; ok</p>",
    });
    expect(await rig.report(job.id)).toContain('templates,2,Layout,2,');
    expect((await rig.imported('listmonk', file())).counts).toEqual(counts('unchanged'));
    expect(await rig.stored()).toEqual({ bytes: 0, imports: 2 });
  });

  it('is only checked by a dry run', async () => {
    await rig.imported('listmonk', dump('copy'), '&dry_run=true');
    for (const path of ['/v1/contacts', '/v1/lists', '/v1/templates'])
      expect(await rig.all(path)).toEqual([]);
  });

  it('is read completely however its pieces are cut', async () => {
    const text = Buffer.from(dump('inserts'));
    for (const size of [1, 7, 64]) {
      const rows = [];
      for await (const some of readSqlDump(pieces(text, size), {
        dialect: 'postgresql',
        isWanted: () => true,
      })) {
        rows.push(...some);
      }
      expect(rows.filter(({ table }) => table === 'subscribers')).toHaveLength(4);
      expect(rows.find(({ table }) => table === 'links')?.cells.get('url')).toBe("https://x.example/a'b;c");
    }
  });

  it('leaves out a template that is too large, with the reason', async () => {
    const file = dump('copy').replace('<p>Order ', `<p>${'x'.repeat(5_000_000)}`);
    const job = await rig.imported('listmonk', file, '&kinds=templates');
    expect(job.counts).toEqual([countOf('templates', 2, { left_out: 2 })]);
    expect(await rig.report(job.id)).toContain('templates,1,Receipt,,The template is larger than 1 MiB.');
  });

  it('continues after a restart, and creates nothing twice', async () => {
    const people = Array.from({ length: 900 }, (_, i) => {
      const id = i + 10;
      return `${id}\tb0000000-0000-4000-8000-${String(id).padStart(12, '0')}\tp${id}@y.example\tP\t{}\tenabled\tx\tx`;
    });
    const file = dump('copy').replace(/^(COPY public\.subscribers .*)$/m, `$1\n${people.join('\n')}`);
    await rig.program.parts.api.audience.accountImports.stop();
    const id = await rig.begun('listmonk', file);
    await rig.program.restart();
    rig.work();
    await interrupt(rig);
    expect((await rig.ended(id)).counts).toContainEqual(countOf('contacts', 904, { created: 904 }));
  });
});

describe('a file that is not a whole dump of listmonk', () => {
  it.each([
    ['a dump in the custom format', () => 'PGDMP\u0001\u000e', 'pg_dump --format=plain'],
    ['another file', () => 'email,name\nann@x.example,Ann\n', 'is not a dump that pg_dump wrote'],
    [
      'a dump of another database',
      () => dump('copy').replaceAll('subscribers', 'people'),
      'it has no subscribers',
    ],
    ['a dump in Latin-1', () => dump('copy').replace(`'UTF8'`, `'LATIN1'`), 'is encoded in LATIN1'],
    ['a truncated dump', () => dump('copy').slice(0, -400), 'is incomplete'],
    ['truncated data', () => gzipSync(dump('copy')).subarray(0, -40), 'cannot be unpacked'],
    ['a dump of the data only', () => dump('data-only'), 'without --data-only'],
    [
      'a row with a value too few',
      () => dump('copy').replace('\tbob\t', '\t'),
      'has a row of the table subscribers with 7 values instead of 8',
    ],
  ])('refuses %s and stores nothing', async (_name, file, problem) => {
    const answer = await rig.upload('listmonk', file());
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(problem);
    expect(await rig.stored()).toEqual({ bytes: 0, imports: 0 });
  });
});

async function* pieces(octets: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (let at = 0; at < octets.length; at += size) yield octets.subarray(at, at + size);
}
