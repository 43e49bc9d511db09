// Opens connections to the database file in any thread, and caches prepared statements.
import { Database, type Connection, type Statement } from './sqlite-driver.js';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type Dialect,
  type QueryResult,
} from 'kysely';
import type { Row, Value } from './engine.js';

const CACHED_STATEMENTS = 500;

export function openReader(file: string, busyTimeoutMs: number): Connection {
  const reader = new Database(file, { readonly: true, timeout: busyTimeoutMs });
  reader.pragma('cache_size = -8000');
  // Matches PostgreSQL. Case-insensitive queries fold the case themselves.
  reader.pragma('case_sensitive_like = ON');
  return reader;
}

export function statementCache(database: Connection): (text: string) => Statement {
  const cache = new Map<string, Statement>();
  return (text) => {
    let statement = cache.get(text);
    if (!statement) {
      // Statements with lists of varying length must not grow the cache indefinitely.
      if (cache.size >= CACHED_STATEMENTS) cache.clear();
      // SQLite replans at each run if the limit is a bare parameter (a claim takes 120 µs, otherwise 15).
      statement = database.prepare(text.replace(/\blimit \?(?! \+)/gi, 'LIMIT ? + 0'));
      cache.set(text, statement);
    }
    return statement;
  };
}

export function runPrepared(statement: Statement, values: readonly Value[]): Row[] {
  if (statement.reader) return statement.all(values) as Row[];
  statement.run(values);
  return [];
}

/** A read-only dialect whose queries `rows` answers, without a limit on concurrent queries. */
export function readingDialect(
  rows: (statement: string, values: readonly Value[]) => Row[] | Promise<Row[]>,
): Dialect {
  const connection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      // Query builder parameters are engine values, and the rows have the query's type.
      return { rows: (await rows(sql, parameters as readonly Value[])) as R[] };
    },
    streamQuery(): never {
      throw new Error('Rows are read in pages.');
    },
  };
  const refuse = (): never => {
    throw new Error('This connection only reads.');
  };
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    createDriver: () => ({
      init: nothing,
      acquireConnection: () => Promise.resolve(connection),
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: nothing,
      destroy: nothing,
    }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}
