// Tests that the declarations of the tables match the migrations, table by table and column by column.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Column } from '../../src/database/columns.js';
import { TABLES } from '../../src/app/tables.js';
import { STEPS, type Step } from '../../src/database/migrations/steps.js';
import { MADE_UP } from '../support/made-up-step.js';
import { type OpenEngine, SQLITE, engineKinds } from '../support/open-engines.js';

/** A column as declared, or as in the database. */
type Shape = Pick<Column, 'kind' | 'isNullable'> & { name: string };

/** A column of the migrated schema. */
interface Migrated extends Shape {
  table: string;
  /** The database fills it if an INSERT omits it: autoincrement or a default. */
  isFilled: boolean;
}

const KINDS: Readonly<Record<string, Column['kind']>> = {
  INTEGER: 'int',
  bigint: 'int',
  TEXT: 'text',
  text: 'text',
  BLOB: 'blob',
  bytea: 'blob',
};

// Search indexes (virtual tables and their shadow tables in SQLite), and tables of the migrator and of the engine, are not
// declared.
const SQLITE_COLUMNS = `SELECT t.name AS "table", c.name, c.type, c.pk > 0 AS is_key, c."notnull" = 0 AS is_nullable,
    c.dflt_value IS NOT NULL OR (c.type = 'INTEGER' AND c.pk = 1 AND (SELECT COUNT(*) FROM pragma_table_info(t.name) k WHERE k.pk > 0) = 1)
      AS is_filled
  FROM pragma_table_list t JOIN pragma_table_info(t.name) c
  WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND t.name <> 'schema_steps'`;
const POSTGRES_COLUMNS = `SELECT table_name AS "table", column_name AS name, data_type AS type, 0 AS is_key,
    CASE WHEN is_nullable = 'YES' THEN 1 ELSE 0 END AS is_nullable,
    CASE WHEN column_default IS NOT NULL OR is_identity = 'YES' THEN 1 ELSE 0 END AS is_filled
  FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name NOT IN ('schema_steps', 'message_search')`;

interface FoundColumn {
  table: string;
  name: string;
  type: string;
  is_key: number;
  is_nullable: number;
  is_filled: number;
}

async function migratedColumns(opened: OpenEngine): Promise<Migrated[]> {
  const found = await opened.raw(opened.engine.name === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS);
  return (found as unknown as FoundColumn[]).map(({ table, name, type, is_key, is_nullable, is_filled }) => {
    const kind = KINDS[type];
    if (kind === undefined)
      throw new Error(`${table}.${name} has type ${type}, which no column is declared with.`);
    return { table, name, kind, isNullable: is_key === 0 && is_nullable === 1, isFilled: is_filled === 1 };
  });
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** Last step of the previous release, whose program may be started again on the folder. */
const PREVIOUS_RELEASE = '0001-baseline';

/** Columns that the previous release misses, and new ones that its INSERT statements would have to fill. */
async function broken(steps: readonly Step[]): Promise<{ gone: string[]; demanded: string[] }> {
  const opened = await SQLITE.open();
  const run = async (some: readonly Step[]): Promise<Migrated[]> => {
    for (const step of some) await step.up(opened.engine.schema, opened.engine.spelling);
    return migratedColumns(opened);
  };
  const before = await run(steps.filter(({ name }) => name <= PREVIOUS_RELEASE));
  const after = await run(steps.filter(({ name }) => name > PREVIOUS_RELEASE));
  await opened.close();
  const key = ({ table, name, kind }: Migrated): string => `${table}.${name} ${kind}`;
  const [former, now] = [before.map(key), after.map(key)];
  const demanded = after.filter(
    (one) =>
      before.some(({ table }) => table === one.table) &&
      !former.includes(key(one)) &&
      !one.isNullable &&
      !one.isFilled,
  );
  return { gone: former.filter((one) => !now.includes(one)), demanded: demanded.map(key) };
}

describe('the previous release', () => {
  it('works with the current tables', async () => {
    expect(await broken(STEPS)).toEqual({ gone: [], demanded: [] });
  });

  it('works with a step that adds a table', async () => {
    expect(await broken([...STEPS, MADE_UP])).toEqual({ gone: [], demanded: [] });
  });

  it('does not work with a step that removes a column', async () => {
    const up: Step['up'] = async (db) =>
      void (await sql`ALTER TABLE chains DROP COLUMN fanned_out_seq`.execute(db));
    const { gone } = await broken([...STEPS, { ...MADE_UP, up }]);
    expect(gone).toEqual(['chains.fanned_out_seq int']);
  });
});

describe.each(engineKinds())('the tables on $name', (kind) => {
  let opened: OpenEngine | undefined;
  let migrated: Migrated[] = [];

  beforeAll(async () => {
    opened = await kind.openMigrated();
    migrated = await migratedColumns(opened);
  }, 120_000);

  afterAll(async () => {
    await opened?.close();
  });

  it('are all declared, and every declared table exists', () => {
    const names = new Set(migrated.map(({ table }) => table));
    expect(TABLES.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
  });

  it.each(TABLES)(
    '$name has the declared columns, with their kind and nullability',
    ({ name: table, columns }) => {
      const declared = Object.entries<Column>(columns).map(([name, { kind, isNullable }]): Shape => ({
        name,
        kind,
        isNullable,
      }));
      const found = migrated
        .filter((column) => column.table === table)
        .map(({ name, kind, isNullable }): Shape => ({ name, kind, isNullable }));
      expect(declared.toSorted(byName)).toEqual(found.toSorted(byName));
    },
  );

  it('fill columns that an INSERT may omit by declaration', () => {
    const filled = new Set(
      migrated.filter(({ isFilled }) => isFilled).map(({ table, name }) => `${table}.${name}`),
    );
    const generated = TABLES.flatMap(({ name: table, columns }) =>
      Object.entries<Column>(columns)
        .filter(([, { isGenerated }]) => isGenerated)
        .map(([name]) => `${table}.${name}`),
    );
    expect(generated.filter((column) => !filled.has(column))).toEqual([]);
  });
});
