// Connections to the database file, for every thread that opens one, and statements that are prepared once.
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
  // As PostgreSQL does; queries that shall not care fold the case themselves.
  reader.pragma('case_sensitive_like = ON');
  return reader;
}

export function statementCache(database: Connection): (text: string) => Statement {
  const cache = new Map<string, Statement>();
  return (text) => {
    let statement = cache.get(text);
    if (!statement) {
      // Statements built with lists of varying length must not grow the cache for ever.
      if (cache.size >= CACHED_STATEMENTS) cache.clear();
      // SQLite plans anew at each run when a bare parameter is the limit (120 µs a claim, 15 without).
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

/** A dialect whose every statement is a SELECT, answered by `rows`; as many as wanted at a time. */
export function readingDialect(
  rows: (statement: string, values: readonly Value[]) => Row[] | Promise<Row[]>,
): Dialect {
  const connection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      // Parameters of our query builder are values of the engine; the rows have the type of the query.
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
