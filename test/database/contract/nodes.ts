// Contract of the nodes of a database: joining, leases, detection of dead nodes, and commits of a node that was removed.
import { OWNER_SEPARATOR } from '../../../src/outbound/schedule/queue.store.js';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import { heartbeat, type NewNode, commitCounter } from '../../../src/nodes/nodes.store.js';
import type { Value } from '../../../src/database/engine/engine.js';
import { createStore } from '../../../src/app/store.js';
import { type Bench, NOW, newMessage, newWorld } from './builders.js';
import { FencedOut } from '../../../src/database/committer.js';
import { acceptMessage } from '../../../src/messages/accept/accept.store.js';
import { marks } from '../../../src/accounts/accounts.tables.js';
import { update } from '../../../src/database/rows.js';

/** Longer than a slow machine needs between two statements. */
const AGES = 3_600_000;
/** Time (ms) after which an operation that does not wait would have ended. */
const A_WHILE = 150;

let lockNumbers = 0;
let leases = 0;

/** Names that no other test uses. */
const newLeases = (count = 1): string[] => Array.from({ length: count }, () => `path test#${(leases += 1)}`);

export function nodeContract(given: () => Bench): void {
  const nodesOf = () => given().store.nodes;

  async function newNode(wish: Partial<NewNode> = {}, isAlone = false): Promise<NewNode> {
    const id = newId('nod', NOW);
    const node: NewNode = {
      ...{ id, lockNumber: (lockNumbers += 1), host: 'mail-1', version: '1.2.3' },
      ...{ roles: ['api', 'mta'], sources: ['default'], ...wish },
    };
    await nodesOf().register(node, { isAlone });
    return node;
  }

  const mark = (i: number): string => (given().opened.engine.name === 'sqlite' ? '?' : `$${i}`);
  const raw = (statement: string, ...values: Value[]) => given().opened.raw(statement, values);

  /** Makes the node silent for this time (ms). */
  const silence = (id: string, forMs: number) =>
    raw(`UPDATE nodes SET seen_at = seen_at - ${forMs} WHERE id = ${mark(1)}`, id);

  const ownerOf = async (name: string): Promise<{ node_id: string | null; generation: number } | null> => {
    const found = (await nodesOf().leases()).find((lease) => lease.name === name);
    return found === undefined ? null : { node_id: found.node_id, generation: found.generation };
  };
  const living = async (): Promise<string[]> => (await nodesOf().nodes()).map(({ id }) => id);

  /** A message in the hands of that owner. */
  async function messageOf(owner: string): Promise<number> {
    const { store } = given();
    const { live } = await newWorld(store);
    const { messageIds, queueIds } = await store.commit([acceptMessage({ message: newMessage(live) })]);
    await store.queue.claim({
      picks: [{ queueId: queueIds[0] ?? 0, limit: 1 }],
      ...{ now: NOW, leaseUntil: NOW + 60_000, owner },
    });
    return messageIds[0] ?? 0;
  }

  const inHand = async (messageId: number) => {
    const [row] = await raw(`SELECT lease_owner, lease_until FROM queue WHERE message_id = ${messageId}`);
    return [row?.['lease_owner'], Number(row?.['lease_until'])];
  };

  describe('a node that enters', () => {
    it('is seen by the others as it said, and silent for no time', async () => {
      const node = await newNode({ roles: ['api'], sources: ['default', 'smarthost relay', 'a#b'] });
      const found = (await nodesOf().nodes()).find(({ id }) => id === node.id);
      expect(found).toMatchObject({ ...node, isLeaving: false });
      expect(Math.abs(found?.silentMs ?? AGES)).toBeLessThan(60_000);
      expect(Math.abs((found?.startedAt ?? 0) - Date.now())).toBeLessThan(AGES);
    });

    it('leaves the others as they are when it is not alone', async () => {
      const [first, messageId] = [await newNode(), await messageOf('nod_before/1')];
      const [name = ''] = newLeases();
      await nodesOf().take([name], first.id);
      const second = await newNode();
      expect(await living()).toEqual(expect.arrayContaining([first.id, second.id]));
      expect(await ownerOf(name)).toMatchObject({ node_id: first.id });
      expect(await inHand(messageId)).toEqual(['nod_before/1', NOW + 60_000]);
    });

    it('has everything that others have left when it is alone', async () => {
      const [gone, other] = [await newNode(), await newNode()];
      const [name = ''] = newLeases();
      await nodesOf().take([name], gone.id);
      const messages = [await messageOf(`${gone.id}${OWNER_SEPARATOR}1`), await messageOf('w1')];
      const node = await newNode({}, true);
      expect(await living()).toEqual([node.id]);
      expect(await ownerOf(name)).toMatchObject({ node_id: null });
      for (const messageId of messages) {
        const [owner, until] = await inHand(messageId);
        expect(owner).toMatch(new RegExp(`^${node.id}${OWNER_SEPARATOR}`));
        expect(until).toBe(0);
      }
      expect(await nodesOf().take([name], other.id)).toEqual([]);
    });

    it('can change its sources, and say that it leaves', async () => {
      const node = await newNode();
      await nodesOf().setSources(node.id, ['second']);
      await nodesOf().leave(node.id);
      const found = (await nodesOf().nodes()).find(({ id }) => id === node.id);
      expect(found).toMatchObject({ sources: ['second'], isLeaving: true });
    });
  });

  describe('a lease', () => {
    it('is owned by one of two nodes that take it simultaneously', async () => {
      const [a, b] = [await newNode(), await newNode()];
      const names = newLeases(40);
      const [ofA, ofB] = await Promise.all([nodesOf().take(names, a.id), nodesOf().take(names, b.id)]);
      expect([...ofA, ...ofB].sort()).toEqual([...names].sort());
      for (const name of ofA) expect(await ownerOf(name)).toMatchObject({ node_id: a.id });
      for (const name of ofB) expect(await ownerOf(name)).toMatchObject({ node_id: b.id });
    });

    it('belongs to one of many nodes, regardless of the order in which they take and release it', async () => {
      const nodes = await Promise.all([1, 2, 3].map(() => newNode()));
      const names = newLeases(12);
      const has = new Map<string, string>();
      await Promise.all(
        nodes.map(async ({ id }) => {
          for (let round = 0; round < 15; round += 1) {
            const taken = await nodesOf().take(names, id);
            for (const name of taken) {
              expect(has.get(name)).toBeUndefined();
              has.set(name, id);
            }
            for (const name of taken) has.delete(name);
            if (taken.length > 0) await nodesOf().release(taken, id);
          }
        }),
      );
      for (const name of names) expect(await ownerOf(name)).toMatchObject({ node_id: null });
    });

    it('goes to the next node when it was released, and only by its own', async () => {
      const [a, b] = [await newNode(), await newNode()];
      const [name = ''] = newLeases();
      expect(await nodesOf().take([name], a.id)).toEqual([name]);
      expect(await ownerOf(name)).toEqual({ node_id: a.id, generation: 1 });
      await nodesOf().release([name], b.id);
      expect(await nodesOf().take([name], b.id)).toEqual([]);
      await nodesOf().release([name], a.id);
      expect(await ownerOf(name)).toEqual({ node_id: null, generation: 1 });
      expect(await nodesOf().take([name], b.id)).toEqual([name]);
      expect(await ownerOf(name)).toEqual({ node_id: b.id, generation: 2 });
    });

    it('cannot be taken by a node that is not registered, or no longer is', async () => {
      const node = await newNode();
      const [name = ''] = newLeases();
      expect(await nodesOf().take([name], 'nod_unknown')).toEqual([]);
      await nodesOf().remove(node.id, { by: 'nod_unknown', silentMs: 0 });
      expect(await nodesOf().take([name], node.id)).toEqual([]);
      expect(await ownerOf(name)).toBeNull();
    });

    it('of a node whose row was deleted is available', async () => {
      const [gone, next] = [await newNode(), await newNode()];
      const [name = ''] = newLeases();
      await nodesOf().take([name], gone.id);
      await raw(`DELETE FROM nodes WHERE id = ${mark(1)}`, gone.id);
      expect(await nodesOf().take([name], next.id)).toEqual([name]);
      expect(await ownerOf(name)).toEqual({ node_id: next.id, generation: 2 });
    });

    it('can be taken again by the node that owns it, which may not know', async () => {
      const { id } = await newNode();
      const names = newLeases(3);
      await nodesOf().take(names, id);
      expect((await nodesOf().take(names, id)).sort()).toEqual([...names].sort());
    });

    it('is taken with none, and released with none', async () => {
      const { id } = await newNode();
      expect(await nodesOf().take([], id)).toEqual([]);
      await nodesOf().release([], id);
    });
  });

  describe('a node that is taken out', () => {
    it('was silent for long enough, and only once', async () => {
      const [node, by] = [await newNode(), await newNode()];
      const remove = () => nodesOf().remove(node.id, { by: by.id, silentMs: 6_000 });
      expect(await remove()).toBe(false);
      await silence(node.id, 5_000);
      expect(await remove()).toBe(false);
      await silence(node.id, 6_000);
      expect((await nodesOf().nodes()).find(({ id }) => id === node.id)?.silentMs).toBeGreaterThan(10_000);
      const both = await Promise.all([remove(), remove()]);
      expect(both.sort()).toEqual([false, true]);
      expect(await living()).not.toContain(node.id);
    });

    it('stays in when it has spoken meanwhile', async () => {
      const { engine } = given().opened;
      const node = await newNode();
      await silence(node.id, AGES);
      const { text, values } = heartbeat(engine, node.id);
      expect(await raw(engine.name === 'sqlite' ? text.replace('$1', '?') : text, ...values)).toEqual([
        { seen_at: expect.anything() as unknown },
      ]);
      expect(await nodesOf().remove(node.id, { by: 'nod_other', silentMs: 6_000 })).toBe(false);
    });

    it('no longer has a heartbeat', async () => {
      const { engine } = given().opened;
      const node = await newNode();
      await nodesOf().remove(node.id, { by: node.id, silentMs: 0 });
      const { text, values } = heartbeat(engine, node.id);
      expect(await raw(engine.name === 'sqlite' ? text.replace('$1', '?') : text, ...values)).toEqual([]);
      expect(await living()).not.toContain(node.id);
    });

    it('leaves its leases free, and its messages to the one that found it dead, and nothing else', async () => {
      const [dead, by] = [await newNode(), await newNode()];
      const [ofDead = '', ofOther = ''] = newLeases(2);
      await nodesOf().take([ofDead], dead.id);
      await nodesOf().take([ofOther], by.id);
      const taken = [
        await messageOf(`${dead.id}${OWNER_SEPARATOR}1`),
        await messageOf(`${dead.id}${OWNER_SEPARATOR}worker 2`),
      ];
      // Their names share a prefix, or differ in one character that LIKE treats as a wildcard.
      const kept = [
        `${dead.id}x${OWNER_SEPARATOR}1`,
        dead.id,
        `${by.id}/1`,
        `${dead.id.replace('_', 'x')}/1`,
      ];
      const others = await Promise.all(kept.map(messageOf));
      await silence(dead.id, 10_000);
      expect(await nodesOf().remove(dead.id, { by: by.id, silentMs: 6_000 })).toBe(true);
      expect(await ownerOf(ofDead)).toEqual({ node_id: null, generation: 1 });
      expect(await ownerOf(ofOther)).toMatchObject({ node_id: by.id });
      for (const messageId of taken) {
        const [owner, until] = await inHand(messageId);
        expect(String(owner).startsWith(`${by.id}${OWNER_SEPARATOR}`)).toBe(true);
        expect(until).toBe(0);
      }
      for (const [i, messageId] of others.entries())
        expect(await inHand(messageId)).toEqual([kept[i], NOW + 60_000]);
      const stale = await given().store.queue.staleLeases({
        ...{ before: 1, limit: 1_000, owner: `${by.id}${OWNER_SEPARATOR}` },
      });
      expect(stale.map(({ messageId }) => messageId).sort()).toEqual([...taken].sort());
    });
  });

  it('adopts messages that no living node has in hand, and those alone', async () => {
    const [gone, living, by] = [await newNode(), await newNode(), await newNode()];
    const lost = await messageOf(`${gone.id}${OWNER_SEPARATOR}1`);
    const kept = await messageOf(`${living.id}${OWNER_SEPARATOR}1`);
    // By a node whose role is not delivery, so no node has its messages.
    await nodesOf().remove(gone.id, { by: null, silentMs: 0 });
    expect(await inHand(lost)).toEqual([`${gone.id}${OWNER_SEPARATOR}1`, NOW + 60_000]);
    await nodesOf().adopt(by.id);
    const [owner, until] = await inHand(lost);
    expect([String(owner).startsWith(`${by.id}${OWNER_SEPARATOR}`), until]).toEqual([true, 0]);
    expect(await inHand(kept)).toEqual([`${living.id}${OWNER_SEPARATOR}1`, NOW + 60_000]);
  });

  it('reports that the database has fewer commits of a node than the node knows of', async () => {
    const node = await newNode();
    const onLostCommits = vi.fn();
    const store = createStore(given().opened.engine, { maxGroup: 50 });
    store.commitAs({ id: node.id, onFencedOut: () => undefined, onLostCommits });
    const touch = () =>
      store.commit([update(marks, { set: { created_at: NOW }, where: { name: 'write_probe' } })]);
    for (let i = 0; i < 3; i += 1) await touch();
    expect(onLostCommits).not.toHaveBeenCalled();
    await raw(`UPDATE nodes SET commits = 1 WHERE id = ${mark(1)}`, node.id);
    await touch();
    expect(onLostCommits).toHaveBeenCalledTimes(1);
    await touch();
    expect(onLostCommits).toHaveBeenCalledTimes(1);
  });

  describe('a commit of a node', () => {
    /** A store that commits as the node, and its notifications. */
    async function storeOfNode() {
      const node = await newNode();
      const store = createStore(given().opened.engine, { maxGroup: 50 });
      const onFencedOut = vi.fn();
      store.commitAs({ id: node.id, onFencedOut });
      return { node, store, onFencedOut };
    }

    it('is kept as long as the node lives', async () => {
      const { node, store, onFencedOut } = await storeOfNode();
      const { live } = await newWorld(store);
      const committed = await store.commit([acceptMessage({ message: newMessage(live) })]);
      expect(committed.messageIds).toHaveLength(1);
      expect(await nodesOf().commitsOf(node.id)).toBe(store.commits.last);
      expect(store.commits.last).toBeGreaterThan(0);
      expect(onFencedOut).not.toHaveBeenCalled();
    });

    it('is refused when others have found it dead, and nothing of its group is kept', async () => {
      const { node, store, onFencedOut } = await storeOfNode();
      const { live } = await newWorld(store);
      await nodesOf().remove(node.id, { by: 'nod_other', silentMs: 0 });
      const messages = Array.from({ length: 5 }, () => newMessage(live));
      const ended = await Promise.allSettled(
        messages.map((message) => store.commit([acceptMessage({ message })])),
      );
      for (const one of ended)
        expect(one).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
      expect(onFencedOut).toHaveBeenCalled();
      const ids = messages.map(({ row }) => `'${row.public_id}'`).join(',');
      expect(await raw(`SELECT id FROM messages WHERE public_id IN (${ids})`)).toEqual([]);
      const heads = await raw(`SELECT head_seq FROM chains WHERE workspace_number = ${live.workspaceNumber}`);
      expect(heads.map((row) => Number(row['head_seq']))).toEqual([0]);
    });

    it('is refused for claims and leases of messages, too', async () => {
      const { node, store } = await storeOfNode();
      const messageId = await messageOf('w1');
      await nodesOf().remove(node.id, { by: 'nod_other', silentMs: 0 });
      await expect(store.queue.moveLeases([messageId], 'w1', NOW)).rejects.toMatchObject({
        code: 'unavailable',
      });
      const claim = { picks: [], now: NOW, leaseUntil: NOW, owner: 'w2' };
      await expect(store.queue.claim(claim)).rejects.toMatchObject({ code: 'unavailable' });
      expect(await inHand(messageId)).toEqual(['w1', NOW + 60_000]);
    });

    it('is waited for by those that find the node dead; one that begins later fails', async () => {
      const { engine } = given().opened;
      const { node, store } = await storeOfNode();
      const { live } = await newWorld(store);
      let end = (): void => undefined;
      const held = new Promise<void>((resolve) => (end = resolve));
      let isInside = (): void => undefined;
      const inside = new Promise<void>((resolve) => (isInside = resolve));
      const running = engine.transaction(async (tx) => {
        await commitCounter(node.id).count(tx);
        isInside();
        await held;
      });
      await inside;
      const order: string[] = [];
      const removed = nodesOf()
        .remove(node.id, { by: 'nod_other', silentMs: 0 })
        .then((isGone) => order.push(`removed ${isGone}`));
      await Promise.race([removed, pause(A_WHILE)]);
      expect(order).toEqual([]);
      order.push('ended');
      end();
      await running;
      await removed;
      expect(order).toEqual(['ended', 'removed true']);
      const late = store.commit([acceptMessage({ message: newMessage(live) })]);
      await expect(late).rejects.toMatchObject({ code: 'unavailable' });
      const refused = engine.transaction((tx) => commitCounter(node.id).count(tx));
      await expect(refused).rejects.toBeInstanceOf(FencedOut);
    });
  });
}
