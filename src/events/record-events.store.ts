// Writes events about records other than messages and sub-tenants, in the transaction that changes the record. They identify
// the record without its content, so the chain contains no personal data to erase.
import { isConditional } from './record-events.rules.js';
import type { Actor, RecordEvent } from '../contract/names.js';
import type { Json } from '../database/columns.js';
import type { Writing } from '../database/committer.js';
import type { Tx } from '../database/engine/engine.js';
import type { Part } from '../database/parts.js';
import { rowsAs } from '../database/sql.js';
import { chain } from './chains.store.js';

interface NewRecordEvent {
  /** Environment of the record, or the workspace if its environments share the record; the event then goes to the live one. */
  of: { environmentId: number } | { workspaceId: string };
  subTenantId: string | null;
  /** Public id of the record. */
  subjectId: string;
  event: RecordEvent;
  /** Actor if the change is not caused by a request. */
  usually: Actor;
  /** Epoch ms. */
  at: number;
  metadata?: Record<string, unknown>;
}

interface RecordTarget {
  environmentId: number;
  workspaceNumber: number;
}

const PLACE = `SELECT e.id AS "environmentId", w.number AS "workspaceNumber" FROM environments e
  JOIN workspaces w ON w.id = e.workspace_id`;
const BY_ENVIRONMENT = `${PLACE} WHERE e.id = ?`;
const BY_WORKSPACE = `${PLACE} WHERE e.workspace_id = ? AND e.mode = 'live'`;
const NAMED = 'SELECT events FROM webhook_endpoints WHERE environment_id = ? AND events IS NOT NULL';

/** Facts about environments, read once per transaction regardless of the number of events. */
class RecordTargets {
  readonly #tx: Tx;
  readonly #targets = new Map<number | string, RecordTarget | null>();
  readonly #named = new Map<number, Set<string>>();
  /** Whether a plan appended an event. */
  hasAppended = false;

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  async readTarget(of: NewRecordEvent['of']): Promise<RecordTarget | null> {
    const [statement, key] =
      'environmentId' in of ? [BY_ENVIRONMENT, of.environmentId] : [BY_WORKSPACE, of.workspaceId];
    let target = this.#targets.get(key);
    if (target === undefined) {
      target = (await rowsAs<RecordTarget>(this.#tx.run(statement, [key])))[0] ?? null;
      this.#targets.set(key, target);
    }
    return target;
  }

  /** Whether a webhook endpoint of the environment subscribes to the event. */
  async isNamed(environmentId: number, event: RecordEvent): Promise<boolean> {
    let names = this.#named.get(environmentId);
    if (names === undefined) {
      const rows = await rowsAs<{ events: Json }>(this.#tx.run(NAMED, [environmentId]));
      names = new Set(rows.flatMap(({ events }) => JSON.parse(events) as string[]));
      this.#named.set(environmentId, names);
    }
    return names.has(event);
  }
}

export const recordTargets: Part<RecordTargets> = {
  order: 3,
  open(tx) {
    const targets = new RecordTargets(tx);
    return { forPlan: () => targets, keep: () => undefined, save: () => undefined };
  },
};

/** Appends the event to the chain. A conditional event is omitted while no webhook endpoint subscribes to it. */
export async function appendRecordEvent(writing: Writing, change: NewRecordEvent): Promise<void> {
  const { of, subTenantId, subjectId, event, usually, at, metadata } = change;
  const targets = writing.part(recordTargets);
  if (isConditional(event) && 'environmentId' in of) {
    if (!(await targets.isNamed(of.environmentId, event))) return;
  }
  const target = await targets.readTarget(of);
  if (!target) return;
  targets.hasAppended = true;
  writing.part(chain).append({
    ...target,
    messageId: null,
    subjectId,
    subTenantId,
    event,
    actor: writing.actor ?? usually,
    occurredAt: at,
    ...(metadata ? { detail: { metadata } } : {}),
  });
}
