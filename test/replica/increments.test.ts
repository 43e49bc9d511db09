// Tests the replica's reading of SQLite's log: whatever is done to a database, the copy made of base and increments has the same
// content.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Connection, Database } from '../../src/database/engine/sqlite-driver.js';
import { openReplicaRig, type ReplicaRig } from '../support/replica-rig.js';
import { runs } from '../support/run-size.js';

let rig: ReplicaRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const size = fc.integer({ min: 0, max: 6_000 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), count: fc.integer({ min: 1, max: 60 }), size }),
  fc.record({ kind: fc.constant('rollback' as const), count: fc.integer({ min: 1, max: 400 }), size }),
  fc.record({ kind: fc.constant('savepoint' as const), count: fc.integer({ min: 1, max: 200 }), size }),
  fc.record({ kind: fc.constant('update' as const), modulus: fc.integer({ min: 1, max: 7 }), size }),
  fc.record({ kind: fc.constant('delete' as const), modulus: fc.integer({ min: 1, max: 4 }) }),
  fc.constantFrom(
    { kind: 'shrink' as const },
    { kind: 'vacuum' as const },
    { kind: 'table' as const },
    { kind: 'checkpoint' as const },
    { kind: 'read' as const },
    { kind: 'compare' as const },
  ),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Changes the database. `other` is a connection of another process. */
function take(step: Step, writer: Connection, other: Connection): void {
  const insert = writer.prepare('INSERT INTO notes (text) VALUES (randomblob(?))');
  switch (step.kind) {
    case 'insert':
      writer.transaction(() => {
        for (let i = 0; i < step.count; i++) insert.run(step.size);
      })();
      break;
    case 'rollback':
      writer.exec('BEGIN');
      for (let i = 0; i < step.count; i++) insert.run(step.size);
      writer.exec('ROLLBACK');
      break;
    case 'savepoint':
      writer.exec('BEGIN');
      insert.run(step.size);
      writer.exec('SAVEPOINT a');
      for (let i = 0; i < step.count; i++) insert.run(step.size);
      writer.exec('ROLLBACK TO a; RELEASE a');
      insert.run(1);
      writer.exec('COMMIT');
      break;
    case 'update':
      writer.prepare('UPDATE notes SET text = randomblob(?) WHERE id % ? = 0').run(step.size, step.modulus);
      break;
    case 'delete':
      writer.prepare('DELETE FROM notes WHERE id % ? = 0').run(step.modulus);
      break;
    case 'shrink':
      writer.pragma('incremental_vacuum');
      break;
    case 'vacuum':
      writer.exec('VACUUM');
      break;
    case 'table':
      writer.exec(
        'DROP TABLE IF EXISTS other; CREATE TABLE other AS SELECT id, length(text) AS n FROM notes',
      );
      break;
    case 'checkpoint':
      other.pragma('wal_checkpoint(PASSIVE)');
      break;
    case 'read':
      other.prepare('SELECT SUM(length(text)) FROM notes').get();
      break;
    case 'compare':
  }
}

describe('a copy of the replica', () => {
  it('has the content of the database after any changes, while the log is emptied again and again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 25 }),
        fc.boolean(),
        async (steps, copies) => {
          const one = openReplicaRig();
          const other = new Database(one.file);
          try {
            // So small that SQLite writes pages of open transactions into the log.
            one.writer.pragma('cache_size = 20');
            const shipper = one.ship({ timing: copies ? { copyMs: 0, keepMs: 0 } : {} });
            for (const now of steps) {
              take(now, one.writer, other);
              if (now.kind !== 'compare') continue;
              await shipper.store();
              const restored = await one.restore();
              expect(restored).toMatchObject({ gap: null, content: one.content() });
            }
            await shipper.store();
            const restored = await one.restore();
            expect(restored).toMatchObject({ gap: null, content: one.content() });
            expect(restored.reached.generation).toBe(1);
          } finally {
            other.close();
            await one.close();
          }
        },
      ),
      runs(500),
    );
  }, 600_000);
});
