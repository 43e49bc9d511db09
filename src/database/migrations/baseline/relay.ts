// Tables and indexes of src/relay.
import type { Spelling } from '../../engine/engine.js';

export const relaySchema = (t: Spelling): string[] => [
  `CREATE TABLE delivery_reports (
    message_id ${t.int} NOT NULL, action TEXT NOT NULL, at ${t.int} NOT NULL, detail TEXT NOT NULL,
    attempts ${t.int} NOT NULL, due_at ${t.int}, PRIMARY KEY (message_id, action))`,
  `CREATE INDEX delivery_reports_due ON delivery_reports (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX delivery_reports_ended ON delivery_reports (at) WHERE due_at IS NULL`,
];
