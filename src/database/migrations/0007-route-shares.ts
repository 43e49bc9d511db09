// Shares of routes: their rows, the route of a message, and queues for each side of a route.
import type { Spelling } from '../engine/engine.js';

export const routeSharesSchema = (t: Spelling): string[] => [
  `CREATE TABLE route_shares (
    route TEXT PRIMARY KEY, percent ${t.int} NOT NULL, engaged_below ${t.int} NOT NULL, others_below ${t.int} NOT NULL,
    state TEXT NOT NULL, reason TEXT NOT NULL, changed_at ${t.int} NOT NULL, counted_before TEXT NOT NULL)`,

  `ALTER TABLE messages ADD COLUMN route TEXT`,
  `CREATE INDEX messages_by_route ON messages (route, id) WHERE route IS NOT NULL`,

  // The side joins the unique key, which SQLite cannot change in place. The previous release inserts without naming the key.
  `CREATE TABLE sided_queues (
    id ${t.id}, environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, domain TEXT NOT NULL,
    rank ${t.int} NOT NULL, side TEXT NOT NULL DEFAULT '', UNIQUE (environment_id, sub_tenant_key, domain, rank, side))`,
  `INSERT INTO sided_queues (id, environment_id, sub_tenant_key, domain, rank)
    SELECT id, environment_id, sub_tenant_key, domain, rank FROM queues`,
  ...t.continueIds('sided_queues'),
  `DROP TABLE queues`,
  `ALTER TABLE sided_queues RENAME TO queues`,
  `CREATE INDEX lanes_by_domain ON queues (environment_id, domain)`,
];
