// The ledgers of migrations: which steps run, which release may open the database, several processes at once.
import { afterEach, describe, expect, it } from 'vitest';
import { judgeLedger, type LedgerRow } from '../../src/store/migrations/ledger.rules.js';
import {
  LATEST_SCHEMA,
  migrate,
  NewerDatabaseError,
  planMigrations,
} from '../../src/store/migrations/migrate.js';
import { engineKinds, openSqliteFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';

const FORMER = ['0026-a', '0027-words'];
const frozen = (name: string): LedgerRow => ({
  name,
  isFrozen: true,
  opensFrom: '0027-words',
  program: null,
});
const later = (name: string, opensFrom: string): LedgerRow => ({
  ...{ name, isFrozen: false, opensFrom },
  program: '0.3.0',
});

describe('a ledger', () => {
  it('of a new database has every step pending', () => {
    expect(judgeLedger([], { known: FORMER, program: '0.1.0' })).toEqual({
      ...{ kind: 'open', schema: null },
      pending: FORMER,
    });
  });

  it('with steps of a newer release is opened while they only add', () => {
    const rows = [...FORMER.map(frozen), later('0028-adds', '0027-words'), later('0029-adds', '0027-words')];
    const known = [...FORMER, '0028-adds'];
    expect(judgeLedger(rows, { known, program: '0.2.0' })).toEqual({
      ...{ kind: 'open', schema: '0029-adds' },
      pending: [],
    });
  });

  it('with a step that took something away is refused, with both releases and the remedy', () => {
    const rows = [...FORMER.map(frozen), later('0028-adds', '0027-words'), later('0030-drops', '0028-adds')];
    const judgement = judgeLedger(rows, { known: FORMER, program: '0.1.0' });
    expect(judgement).toMatchObject({ kind: 'newer' });
    const message = judgement.kind === 'newer' ? judgement.message : '';
    expect(message).toContain('by Mailkeel 0.3.0 (migration 0030-drops)');
    expect(message).toContain('a release that knows migration 0028-adds');
    expect(message).toContain('This is Mailkeel 0.1.0, which knows migrations up to 0027-words');
    expect(message).toContain('before-upgrade');
    // The release between them has the step that it needs.
    expect(judgeLedger(rows, { known: [...FORMER, '0028-adds'], program: '0.2.0' })).toMatchObject({
      ...{ kind: 'open', pending: [] },
    });
  });
});

describe.each(engineKinds())('migrations on $name', (kind) => {
  let opened: OpenEngine;

  afterEach(() => opened.close());

  /** With all steps. What the tests write into the ledger would stay in a database that suites share. */
  async function migrated(): Promise<OpenEngine> {
    if (kind.name === 'SQLite') return kind.openMigrated();
    const made = await kind.open();
    await migrate(made.engine);
    return made;
  }

  const ledgers = async (): Promise<[string[], string[]]> => [
    (await opened.raw('SELECT name FROM kysely_migration ORDER BY name')).map(({ name }) => String(name)),
    (await opened.raw('SELECT name FROM schema_steps ORDER BY name')).map(({ name }) => String(name)),
  ];

  it('leave release 0.1.0 a ledger in which it knows every step', async () => {
    opened = await kind.open();
    const ran = await migrate(opened.engine);
    const [former, own] = await ledgers();
    expect([...former, ...own]).toEqual(ran);
    expect(former.at(-1)).toBe('0027-words');
    expect(own.at(-1)).toBe(LATEST_SCHEMA);
    expect(await planMigrations(opened.engine)).toEqual({ isNew: false, schema: LATEST_SCHEMA, pending: [] });
    expect(await migrate(opened.engine)).toEqual([]);
  });

  it('move what a build between two releases wrote into the ledger of before', async () => {
    opened = await migrated();
    await opened.raw("DELETE FROM schema_steps WHERE name = '0028-traces'");
    await opened.raw(
      "INSERT INTO kysely_migration (name, timestamp) VALUES ('0028-traces', '2026-01-02T03:04:05.000Z')",
    );
    expect(await migrate(opened.engine)).toEqual([]);
    const [former, own] = await ledgers();
    expect(former).not.toContain('0028-traces');
    expect(own).toContain('0028-traces');
    const [row] = await opened.raw("SELECT applied_at FROM schema_steps WHERE name = '0028-traces'");
    expect(Number(row?.['applied_at'])).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
  });

  it('are refused by a program that a newer release shuts out, and change nothing then', async () => {
    opened = await migrated();
    const insert = (name: string, from: string): Promise<unknown> =>
      opened.raw(`INSERT INTO schema_steps (name, opens_from, applied_at, took_ms, program)
        VALUES ('${name}', '${from}', 1, 1, '9.0.0')`);
    await insert('8000-adds', LATEST_SCHEMA);
    expect(await migrate(opened.engine)).toEqual([]);
    await insert('9000-drops', '8000-adds');
    await opened.raw("DELETE FROM schema_steps WHERE name = '0028-traces'");
    await expect(migrate(opened.engine)).rejects.toThrow(NewerDatabaseError);
    await expect(planMigrations(opened.engine)).rejects.toThrow('by Mailkeel 9.0.0 (migration 9000-drops)');
  });

  it('that fail leave nothing of the step, and run again', async () => {
    opened = await migrated();
    for (const table of ['backups', 'restores', 'restored_chains']) await opened.raw(`DROP TABLE ${table}`);
    await opened.raw("DELETE FROM schema_steps WHERE name = '0029-backups'");
    // The last table of the step is there already: the step fails at it.
    await opened.raw('CREATE TABLE restored_chains (a INTEGER)');
    await expect(migrate(opened.engine)).rejects.toThrow('The migration 0029-backups failed');
    await expect(opened.raw('SELECT 1 FROM backups')).rejects.toThrow();
    await opened.raw('DROP TABLE restored_chains');
    expect(await migrate(opened.engine)).toEqual(['0029-backups']);
  });

  it('run once when several begin together', async () => {
    opened = await kind.open();
    const { engine } = opened;
    const ran = await Promise.all([migrate(engine), migrate(engine), migrate(engine)]);
    expect(new Set(ran.flat()).size).toBe(ran.flat().length);
    expect(ran.flat().sort().at(-1)).toBe(LATEST_SCHEMA);
  });
});

it('migrations run once when several connections begin together', async () => {
  const folder = temporaryFolder();
  const all = [1, 2, 3].map(() => openSqliteFile(`${folder.path}/mail.db`));
  const ran = await Promise.all(all.map(({ engine }) => migrate(engine)));
  expect(new Set(ran.flat()).size).toBe(ran.flat().length);
  expect(ran.flat().sort().at(-1)).toBe(LATEST_SCHEMA);
  await Promise.all(all.map((one) => one.close()));
  folder.remove();
});
