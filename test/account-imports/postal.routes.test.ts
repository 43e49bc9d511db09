// Tests imports of dumps of Postal's databases, which mariadb-dump 10.11 wrote from tables with Postal's columns.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSqlDump } from '../../src/account-imports/uploads/sql-dump.js';
import { countOf } from '../support/account-import-rig.js';
import { startAccountUploadRig, type AccountUploadRig } from '../support/account-upload-rig.js';

let rig: AccountUploadRig;
beforeEach(async () => {
  rig = await startAccountUploadRig();
});
afterEach(() => rig.close());

const DUMP = readFileSync(`${import.meta.dirname}/dumps/postal.sql`);
const HEX = readFileSync(`${import.meta.dirname}/dumps/postal-hex.sql`);
const text = DUMP.toString('latin1');

const counts = (field: string) => [
  countOf('suppressions', 2, { [field]: 2 }),
  countOf('domains', 3, { [field]: 2, left_out: 1 }),
  countOf('webhooks', 4, { [field]: 2, left_out: 2 }),
];

describe('a dump of Postal', () => {
  it.each([
    ['as it is', DUMP],
    ['with hexadecimal blobs', HEX],
    ['with gzip', gzipSync(DUMP)],
  ])('%s becomes the objects of one server, and a second import changes nothing', async (_name, file) => {
    const job = await rig.imported('postal', file, '&name=main');
    expect(job).toMatchObject({ status: 'completed', error: null, counts: counts('created') });
    const suppressed = (await rig.all('/v1/suppressions')).map(({ email, reason }) => [email, reason]);
    expect(suppressed.toSorted()).toEqual([
      ['dead1@x.example', 'bounce'],
      ["o'neil1@x.example", 'bounce'],
    ]);
    expect((await rig.all('/v1/senders')).map(({ domain }) => domain).toSorted()).toEqual([
      'customer.example',
      'shared.example',
    ]);
    const hooks = new Map((await rig.all('/v1/webhook-endpoints')).map((one) => [one['url'], one]));
    expect(hooks.get('https://hooks.example/some')).toMatchObject({
      ...{ format: 'service', status: 'disabled', events: ['message.delivered', 'message.bounced'] },
    });
    expect(hooks.has('https://hooks.example/all')).toBe(true);
    const report = await rig.report(job.id);
    expect(report).toContain('in.example,,The domain only receives mail.');
    expect(report).toContain('https://hooks.example/off,,The webhook is disabled.');
    expect((await rig.imported('postal', file, '&name=fernhill/main')).counts).toEqual(counts('unchanged'));
    expect(await rig.stored()).toEqual({ bytes: 0, imports: 2 });
  });

  it('has several servers, of which the request chooses one by its name', async () => {
    const answer = await rig.upload('postal', DUMP);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Set name to one of fernhill/main, fernhill/test');
    expect((await rig.upload('postal', DUMP, '&name=gone')).status).toBe(422);
    expect((await rig.imported('postal', DUMP, '&name=Test%20server')).counts).toEqual([
      countOf('suppressions', 2, { created: 2 }),
      countOf('domains', 2, { created: 2 }),
      countOf('webhooks', 1, { created: 1 }),
    ]);
  });

  it('reports that the suppressions are missing', async () => {
    const start = text.indexOf('-- Current Database: `postal-server-1`');
    const end = text.slice(text.lastIndexOf('-- Dump completed'));
    const only = Buffer.from(`${text.slice(0, start)}\n${end}`, 'latin1');
    const job = await rig.imported('postal', only, '&name=main');
    expect(job.counts[0]).toEqual(countOf('suppressions', 1, { left_out: 1 }));
    expect(await rig.report(job.id)).toContain('The dump contains no suppressions of the server.');
  });

  it('is only checked by a dry run', async () => {
    const job = await rig.imported('postal', DUMP, '&name=main&dry_run=true');
    expect(job.counts).toEqual(counts('created'));
    expect(await rig.all('/v1/senders')).toEqual([]);
  });

  it('is read completely however its pieces are cut', async () => {
    for (const size of [1, 7, 64]) {
      const rows = [];
      for await (const some of readSqlDump(pieces(DUMP, size), { dialect: 'mysql', isWanted: () => true })) {
        rows.push(...some);
      }
      const subjects = rows.flatMap(({ table, cells }) =>
        table === 'messages' ? [cells.get('subject')] : [],
      );
      expect(subjects.slice(0, 2)).toEqual(['It\'s; "x" \\ -- y /* z', 'Grüße 🎉\n']);
      expect(rows.filter(({ table }) => table === 'suppressions')).toHaveLength(4);
    }
  });
});

describe('a file that is not a whole dump of Postal', () => {
  const swapped = (): string => {
    const [main, first] = [
      text.indexOf('-- Current Database: `postal`'),
      text.indexOf('-- Current Database: `postal-server-1`'),
    ];
    const end = text.lastIndexOf('-- Dump completed');
    return text.slice(0, main) + text.slice(first, end) + text.slice(main, first) + text.slice(end);
  };

  it.each([
    ['another file', () => 'email,name\nann@x.example,Ann\n', 'is not a dump that mariadb-dump wrote'],
    ['a truncated dump', () => text.slice(0, -300), 'is incomplete'],
    ['a dump that ends in the data', () => text.slice(0, text.lastIndexOf('too many')), 'is incomplete'],
    [
      'a dump of another program',
      () => text.replaceAll('servers', 'things'),
      'does not begin with the Postal configuration',
    ],
    ['a dump that begins with the suppressions', swapped, 'does not begin with the Postal configuration'],
  ])('refuses %s and stores nothing', async (_name, file, problem) => {
    const answer = await rig.upload('postal', Buffer.from(file(), 'latin1'), '&name=main');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(problem);
    expect(await rig.stored()).toEqual({ bytes: 0, imports: 0 });
  });

  it('refuses a name for a source that has none', async () => {
    const answer = await rig.upload('listmonk', DUMP, '&name=main');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('name: is not used by this source');
  });
});

async function* pieces(octets: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (let at = 0; at < octets.length; at += size) yield octets.subarray(at, at + size);
}
