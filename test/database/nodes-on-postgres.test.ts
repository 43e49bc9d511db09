// Tests that transactions of nodes that share only a PostgreSQL server wait for each other without deadlocks.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkChains } from '../../src/events/chain-check.store.js';
import { newId } from '../../src/lib/runtime/index.js';
import { commitCounter, heartbeat } from '../../src/nodes/nodes.store.js';
import type { Engine } from '../../src/database/engine/engine.js';
import { openEngine } from '../../src/database/engine/place.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import {
  migratedPostgresDatabase,
  POSTGRES_URL,
  runOnServer,
  type TestDatabase,
} from '../support/postgres-databases.js';
import { waitFor } from '../support/wait.js';
import { eventOf, newMessage, newWorld, NOW } from './contract/builders.js';
import { FencedOut } from '../../src/database/committer.js';
import type { Plan } from '../../src/database/change.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { appendEvent } from '../../src/events/append.store.js';

const WORKSPACES = 12;
const ROUNDS = 40;

interface TestNode {
  id: string;
  engine: Engine;
  store: Store;
  onFencedOut: () => void;
}

describe.skipIf(POSTGRES_URL === undefined)('nodes on one PostgreSQL server', () => {
  let database: TestDatabase;
  let nodes: TestNode[] = [];

  beforeAll(async () => {
    database = await migratedPostgresDatabase();
    nodes = await Promise.all([1, 2].map(openNode));
  });
  afterAll(async () => {
    for (const { store } of nodes) await store.close();
    await database.drop();
  });

  async function openNode(lockNumber: number): Promise<TestNode> {
    const engine = await openEngine({ kind: 'server', url: database.url }, { busyTimeoutMs: 0 });
    const store = createStore(engine, { maxGroup: 50 });
    const id = newId('nod', NOW);
    const named = { id, lockNumber, host: 'mail-1', version: '1.2.3', roles: ['mta'], sources: ['default'] };
    await store.nodes.register(named, { isAlone: false });
    const onFencedOut = vi.fn();
    store.commitAs({ id, onFencedOut });
    return { id, engine, store, onFencedOut };
  }

  function pair(): [TestNode, TestNode] {
    const [first, second] = nodes;
    if (first === undefined || second === undefined) throw new Error('The nodes did not open.');
    return [first, second];
  }

  it('commit in parallel', async () => {
    const [{ id, engine, store }, other] = pair();
    const { live } = await newWorld(store);
    await engine.transaction(async (tx) => {
      await commitCounter(id).count(tx);
      await other.store.commit([acceptMessage({ message: newMessage(live) })]);
    });
  });

  it('end a commit of a removed node, whichever waits', async () => {
    const [by] = pair();
    const dead = await openNode(77);
    const { live } = await newWorld(dead.store);
    const { messageIds, queueIds } = await dead.store.commit([acceptMessage({ message: newMessage(live) })]);
    const [messageId = 0] = messageIds;
    const owner = `${dead.id}/1`;
    const claim = { picks: [{ queueId: queueIds[0] ?? 0, limit: 1 }], now: NOW, leaseUntil: NOW + 1, owner };
    expect((await dead.store.queue.claim(claim)).claims).toHaveLength(1);
    const removals: Promise<boolean>[] = [];
    const committed = dead.engine.transaction(async (tx) => {
      await tx.run('UPDATE queue SET lease_until = ? WHERE message_id = ?', [NOW + 2, messageId]);
      // Only once, because the transaction may be repeated.
      removals[0] ??= by.store.nodes.remove(dead.id, { by: by.id, silentMs: 0 });
      await pause(300);
      await commitCounter(dead.id).count(tx);
    });
    const error: unknown = await committed.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(await Promise.all(removals)).toEqual([true]);
    if (error !== null) expect(error).toBeInstanceOf(FencedOut);
    const [row] = await runOnServer(
      `SELECT lease_owner, lease_until::int FROM queue WHERE message_id = ${messageId}`,
      database.url,
    );
    expect(row).toEqual({ lease_owner: `${by.id}/take-over`, lease_until: 0 });
    await dead.store.close();
  });

  it('write heartbeats while a commit waits for one that hangs', async () => {
    const [{ id, engine, store }, hung] = pair();
    const { live } = await newWorld(store);
    const name = new URL(database.url).pathname.slice(1);
    const isWaiting = async (): Promise<boolean> => {
      const found = await runOnServer(
        `SELECT pid FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'`,
      );
      return found.length > 0;
    };
    let committed: Promise<unknown> = Promise.resolve();
    await hung.engine.transaction(async (tx) => {
      await tx.run('SELECT 1 FROM chains WHERE workspace_number = ? FOR UPDATE', [live.workspaceNumber]);
      committed = store.commit([acceptMessage({ message: newMessage(live) })]);
      await waitFor('the commit waits', isWaiting);
      const { text, values } = heartbeat(engine, id);
      const written = runOnServer(text.replace('$1', `'${values[0]}'`), database.url);
      expect(await Promise.race([written, pause(2_000)])).toHaveLength(1);
    });
    await committed;
  });

  it.each<{ what: string; plan: (scope: Scope, i: number) => Plan }>([
    {
      what: 'events',
      plan: (scope, i) => [
        appendEvent({
          event: { ...eventOf(scope, `tnt_${i}`, 'tenant_warned', { metadata: { i } }), messageId: null },
        }),
      ],
    },
    {
      what: 'messages',
      plan: (scope, i) => [
        acceptMessage({ message: newMessage(scope, { domain: `place-${i % 3}.example` }) }),
      ],
    },
  ])('write $what to the same chains in opposite orders without a rollback', async ({ plan }) => {
    const { store } = pair()[0];
    const scopes: Scope[] = [];
    for (let i = 0; i < WORKSPACES; i += 1) scopes.push((await newWorld(store)).live);
    // Creates the destinations in advance, because creating one makes others wait.
    for (let i = 0; i < 3; i += 1) for (const scope of scopes) await store.commit(plan(scope, i));
    // A session reports its statistics when it ends.
    await reopen();
    const [first, second] = pair();
    const before = await conflicts();
    const write = async ({ store }: TestNode, order: readonly Scope[]): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1)
        await Promise.all(order.map((scope, i) => store.commit(plan(scope, i + round))));
    };
    await Promise.all([write(first, scopes), write(second, scopes.toReversed())]);
    await reopen();
    expect(await conflicts()).toEqual(before);
    for (const { onFencedOut } of nodes) expect(onFencedOut).not.toHaveBeenCalled();
    const reports = await checkChains(pair()[0].store, 50);
    const ours = reports.filter(({ workspaceId }) =>
      scopes.some((scope) => scope.workspaceId === workspaceId),
    );
    expect(ours).toHaveLength(WORKSPACES);
    for (const report of ours) expect(report).toMatchObject({ broken: null, entries: 2 * ROUNDS + 3 });
  });

  async function reopen(): Promise<void> {
    for (const { store } of nodes) await store.close();
    nodes = await Promise.all([Math.random(), Math.random()].map((n) => openNode(Math.floor(n * 1e6))));
  }

  /** Rolled-back transactions, and those of them that were deadlocks. */
  async function conflicts(): Promise<Record<string, unknown>> {
    const name = new URL(database.url).pathname.slice(1);
    const [row] = await runOnServer(
      `SELECT deadlocks::int, xact_rollback::int FROM pg_stat_database WHERE datname = '${name}'`,
    );
    return row ?? {};
  }
});
