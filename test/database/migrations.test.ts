// Tests the ledger of migrations: which steps run, which release may open the database, and several processes at the same time.
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { judgeLedger, type LedgerRow } from '../../src/database/migrations/ledger.rules.js';
import { migrate, NewerDatabaseError, planMigrations } from '../../src/database/migrations/migrate.js';
import { latestSchema, STEPS } from '../../src/database/migrations/steps.js';
import { MADE_UP, withStep } from '../support/made-up-step.js';
import { engineKinds, openSqliteFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';

const KNOWN = ['0001-baseline', '0002-adds'];
const row = (name: string, opensFrom = '0001-baseline'): LedgerRow => ({ name, opensFrom, program: '0.3.0' });

describe('a migration ledger', () => {
  it('of a new database has every step pending', () => {
    expect(judgeLedger([], { known: KNOWN, program: '0.1.0' })).toEqual({
      ...{ kind: 'open', schema: null },
      pending: KNOWN,
    });
  });

  it('with steps of a newer release can be opened while they only add', () => {
    const rows = [...KNOWN.map((name) => row(name)), row('0003-adds')];
    expect(judgeLedger(rows, { known: KNOWN, program: '0.2.0' })).toEqual({
      ...{ kind: 'open', schema: '0003-adds' },
      pending: [],
    });
  });

  it('with a step that removed something is refused, with both releases and the remedy', () => {
    const rows = [row('0001-baseline'), row('0002-adds'), row('0003-drops', '0002-adds')];
    const judgement = judgeLedger(rows, { known: ['0001-baseline'], program: '0.1.0' });
    expect(judgement).toMatchObject({ kind: 'newer' });
    const message = judgement.kind === 'newer' ? judgement.message : '';
    expect(message).toContain('Mailkeel 0.3.0 migrated this database (migration 0003-drops)');
    expect(message).toContain('a release that knows migration 0002-adds');
    expect(message).toContain('this is Mailkeel 0.1.0, which knows migrations up to 0001-baseline');
    expect(message).toContain('before-upgrade');
    // The release between them knows the step that the newest one requires.
    expect(judgeLedger(rows, { known: KNOWN, program: '0.2.0' })).toMatchObject({
      kind: 'open',
      pending: [],
    });
  });
});

describe.each(engineKinds())('migrations on $name', (kind) => {
  let opened: OpenEngine;

  afterEach(() => opened.close());

  const ledger = async (): Promise<string[]> =>
    (await opened.raw('SELECT name FROM schema_steps ORDER BY name')).map(({ name }) => String(name));

  async function openNew(): Promise<void> {
    opened = await kind.open();
    await migrate(opened.engine);
  }

  it('run once, and are recorded', async () => {
    opened = await kind.open();
    expect(await planMigrations(opened.engine)).toMatchObject({ isNew: true, schema: null });
    const ran = await migrate(opened.engine);
    expect(await ledger()).toEqual(ran);
    expect(await planMigrations(opened.engine)).toEqual({
      ...{ isNew: false, schema: latestSchema(), pending: [] },
    });
    expect(await migrate(opened.engine)).toEqual([]);
  });

  it('run if a later release adds a step, whose table the previous release ignores', async () => {
    await openNew();
    await withStep(async () => {
      expect(await planMigrations(opened.engine)).toMatchObject({
        isNew: false,
        pending: [{ name: MADE_UP.name, does: MADE_UP.does }],
      });
      expect(await migrate(opened.engine)).toEqual([MADE_UP.name]);
    });
    expect(await opened.raw('SELECT * FROM made_up')).toEqual([]);
    expect(await planMigrations(opened.engine)).toEqual({
      ...{ isNew: false, schema: MADE_UP.name, pending: [] },
    });
  });

  it('exclude the previous release once a step removes something', async () => {
    await openNew();
    const drops = { ...MADE_UP, name: '9999-drops', opensFrom: MADE_UP.name };
    await withStep(() =>
      withStep(() => migrate(opened.engine), {
        ...drops,
        up: async (db) => void (await sql`DROP TABLE made_up`.execute(db)),
      }),
    );
    await expect(migrate(opened.engine)).rejects.toThrow(NewerDatabaseError);
    await expect(planMigrations(opened.engine)).rejects.toThrow('(migration 9999-drops)');
    await withStep(async () => expect(await migrate(opened.engine)).toEqual([]));
  });

  it('that fail leave no changes, and run again', async () => {
    await openNew();
    // The last table of the step exists already, so the step fails at it.
    await opened.raw('CREATE TABLE made_up_too (a INTEGER)');
    await withStep(async () => {
      await expect(migrate(opened.engine)).rejects.toThrow(`Migration ${MADE_UP.name} failed`);
      await expect(opened.raw('SELECT 1 FROM made_up')).rejects.toThrow();
      await opened.raw('DROP TABLE made_up_too');
      expect(await migrate(opened.engine)).toEqual([MADE_UP.name]);
    });
  });

  it('that give queues a side keep them and their ids, and number new ones after them', async () => {
    opened = await kind.open();
    const later = STEPS.splice(STEPS.findIndex(({ name }) => name === '0007-route-shares'));
    const add = (domain: string, columns = '', values = '') =>
      opened.raw(
        `INSERT INTO queues (environment_id, sub_tenant_key, domain, rank${columns}) VALUES (1, '', '${domain}', 1${values})`,
      );
    const queues = async () => {
      const rows = await opened.raw('SELECT id, domain, side FROM queues ORDER BY id');
      return rows.map(({ id, domain, side }) => [Number(id), domain, side]);
    };
    try {
      await migrate(opened.engine);
      await add('one.example');
      await add('two.example');
    } finally {
      STEPS.push(...later);
    }
    await migrate(opened.engine);
    await add('three.example');
    await add('one.example', ', side', ", 'direct'");
    expect(await queues()).toEqual([
      [1, 'one.example', ''],
      [2, 'two.example', ''],
      [3, 'three.example', ''],
      [4, 'one.example', 'direct'],
    ]);
    await expect(add('two.example')).rejects.toThrow(/unique/i);
  });

  it('run once if several begin together', async () => {
    opened = await kind.open();
    const { engine } = opened;
    const ran = await Promise.all([migrate(engine), migrate(engine), migrate(engine)]);
    expect(ran.flat()).toEqual(STEPS.map(({ name }) => name));
  });
});

it('migrations run once if several connections begin together', async () => {
  const folder = temporaryFolder();
  const all = [1, 2, 3].map(() => openSqliteFile(`${folder.path}/mail.db`));
  const ran = await Promise.all(all.map(({ engine }) => migrate(engine)));
  expect(ran.flat()).toEqual(STEPS.map(({ name }) => name));
  await Promise.all(all.map((one) => one.close()));
  folder.remove();
});
