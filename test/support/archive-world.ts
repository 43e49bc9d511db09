// Builds a chain that is longer than a segment: events of two alternating messages, one of which can be deleted.
import { generateKeyPairSync } from 'node:crypto';
import { markForArchive } from '../../src/operations/retention/archive.store.js';
import { SEGMENT_ENTRIES } from '../../src/events/archive/segment.rules.js';
import type { ProofSigningKey } from '../../src/lib/tokens/index.js';
import type { Engine } from '../../src/database/engine/engine.js';
import type { Scope } from '../../src/database/scope.js';
import type { Store } from '../../src/app/store.js';
import { eventOf, newMessage, newWorld, onlyId } from '../database/contract/builders.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { appendEvent } from '../../src/events/append.store.js';
import { events } from '../../src/events/events.tables.js';
import { update } from '../../src/database/rows.js';

export const SIGNING_KEY: ProofSigningKey = {
  ...{ keyId: 'key_1', createdAt: '2026-01-01T00:00:00Z', retiredAt: null },
  ...generateKeyPairSync('ed25519'),
};

export interface LongChain {
  live: Scope;
  /** Row ids of the two messages. */
  messages: readonly [number, number];
}

/** Builds a chain of two segments by default, plus `more` entries, in a new or a given workspace. */
export async function longChain(store: Store, more: number, scope?: Scope, segments = 2): Promise<LongChain> {
  const live = scope ?? (await newWorld(store)).live;
  const drafts = [newMessage(live), newMessage(live)];
  const ids: number[] = [];
  for (const message of drafts) ids.push(onlyId(await store.commit([acceptMessage({ message })])));
  const total = segments * SEGMENT_ENTRIES + more;
  for (let made = 2; made < total;) {
    const count = Math.min(512, total - made);
    await store.commit(
      Array.from({ length: count }, (_, index) => {
        const which = (made + index) % 2;
        const subject = drafts[which]?.row.public_id ?? '';
        const event = eventOf(live, subject, 'opened', { ip: '192.0.2.1', user_agent: `Mail/${index}` });
        return appendEvent({ event: { ...event, messageId: ids[which] ?? null } });
      }),
    );
    made += count;
  }
  return { live, messages: [ids[0] ?? 0, ids[1] ?? 0] };
}

/** As retention does it: deletes the details, marks the place, and deletes the row. */
export async function deleteMessage(store: Store, engine: Engine, id: number): Promise<void> {
  await store.commit([update(events, { set: { detail: null, salt: null }, where: { message_id: [id] } })]);
  await engine.transaction(async (tx) => {
    await markForArchive(tx, [id]);
    await tx.run('DELETE FROM queue WHERE message_id = ?', [id]);
    await tx.run('DELETE FROM messages WHERE id = ?', [id]);
  });
}
