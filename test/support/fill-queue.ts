// Fills a queue of any depth, over any number of queues, by writing rows directly into the file of a migrated and bootstrapped
// database that no program has open.
import { Database, type Connection } from '../../src/database/engine/sqlite-driver.js';

const DAY_MS = 86_400_000;
/** Destinations of a sub-tenant. */
const DESTINATIONS = 10;

export interface QueueSize {
  /** Waiting messages, spread over all queues in rotation; all of them are due. */
  depth: number;
  /** Half of them transactional, half bulk. */
  queues: number;
  environmentId: number;
  now: number;
}

export function fillQueue(file: string, size: QueueSize): void {
  const database = new Database(file);
  try {
    database.pragma('synchronous = OFF');
    // Queues name sub-tenants without rows, which the tests do not read.
    database.pragma('foreign_keys = OFF');
    database.transaction(() => insertRows(database, size))();
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

function insertRows(database: Connection, { depth, queues, environmentId, now }: QueueSize): void {
  const run = (statement: string, values: Record<string, number>): void =>
    void database.prepare(statement).run(values);
  const count = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)';
  run(
    `INSERT INTO queues (id, environment_id, sub_tenant_key, domain, rank) ${count}
      SELECT i, @environmentId, 'tnt_' || ((i - 1) / ${DESTINATIONS}), 'd' || ((i - 1) % ${DESTINATIONS}) || '.bench.test',
        CASE i % 2 WHEN 0 THEN 1 ELSE 4 END FROM n`,
    { count: queues, environmentId },
  );
  run(
    `INSERT INTO contents (id, rfc_message_id, to_list, cc_list, headers, html, text)
      VALUES (@id, 'bench', '[]', '[]', '[]', NULL, 'Hello')`,
    { id: 1 },
  );
  run(
    `INSERT INTO messages (id, public_id, environment_id, content_id, type, status, recipient_role, to_email, to_key,
        from_email, subject, priority, tags, metadata, content_hash, track_opens, track_clicks, created_at, updated_at)
      ${count} SELECT i, 'msg_' || printf('%026d', i), @environmentId, 1, 'transactional', 'queued', 'to',
        'r' || i || '@d' || (i % @queues % ${DESTINATIONS}) || '.bench.test',
        'r' || i || '@d' || (i % @queues % ${DESTINATIONS}) || '.bench.test',
        'orders@sender.bench.test', 'Your order has shipped', 'normal', '[]', '{}', 'sha256:00', 0, 0, @now, @now FROM n`,
    { count: depth, queues, environmentId, now },
  );
  run(
    `INSERT INTO queue (message_id, queue_id, due_at, expires_at, attempts, ambiguous_attempts)
      ${count} SELECT i, i % @queues + 1, @now - @count + i, @now + ${DAY_MS}, 0, 0 FROM n`,
    { count: depth, queues, now },
  );
}
