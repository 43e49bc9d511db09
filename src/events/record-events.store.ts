// Events about records that are neither messages nor sub-tenants, written in the transaction that changes the record. They say
// which record it is and nothing of what is in it, so that nothing of a person has to be erased from the chain.
import { isConditional } from './record-events.rules.js';
import type { Actor, RecordEvent } from '../contract/names.js';
import type { Writing } from '../database/committer.js';
import type { Tx } from '../database/engine/engine.js';
import type { Part } from '../database/parts.js';
import { chain } from './chains.store.js';

export interface NewRecordEvent {
  /** Of the record's environment, or where environments share it, of the workspace's live one. */
  of: { environmentId: number } | { workspaceId: string };
  subTenantId: string | null;
  /** Public id of the record. */
  subjectId: string;
  event: RecordEvent;
  /** Actor where no request of a key or a person is the cause. */
  usually: Actor;
  /** Epoch ms. */
  at: number;
  metadata?: Record<string, unknown>;
}

interface Place {
  environmentId: number;
  workspaceNumber: number;
}

const BY_ENVIRONMENT = `SELECT e.id, w.number FROM environments e JOIN workspaces w ON w.id = e.workspace_id WHERE e.id = ?`;
const BY_WORKSPACE = `SELECT e.id, w.number FROM environments e JOIN workspaces w ON w.id = e.workspace_id
  WHERE e.workspace_id = ? AND e.mode = 'live'`;
const NAMED = 'SELECT events FROM webhook_endpoints WHERE environment_id = ? AND events IS NOT NULL';

/** Facts about environments that a transaction reads once, however many events it writes. */
class RecordPlaces {
  readonly #tx: Tx;
  readonly #places = new Map<number | string, Place | null>();
  readonly #named = new Map<number, Set<string>>();
  /** Whether a plan appended an event. */
  hasAppended = false;

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  async placeOf(of: NewRecordEvent['of']): Promise<Place | null> {
    const [statement, key] =
      'environmentId' in of ? [BY_ENVIRONMENT, of.environmentId] : [BY_WORKSPACE, of.workspaceId];
    let place = this.#places.get(key);
    if (place === undefined) {
      const [row] = await this.#tx.run(statement, [key]);
      place = row ? { environmentId: row['id'] as number, workspaceNumber: row['number'] as number } : null;
      this.#places.set(key, place);
    }
    return place;
  }

  /** Whether a webhook endpoint of the environment names the event. */
  async isNamed(environmentId: number, event: RecordEvent): Promise<boolean> {
    let names = this.#named.get(environmentId);
    if (names === undefined) {
      const rows = await this.#tx.run(NAMED, [environmentId]);
      names = new Set(rows.flatMap((row) => JSON.parse(row['events'] as string) as string[]));
      this.#named.set(environmentId, names);
    }
    return names.has(event);
  }
}

export const recordPlaces: Part<RecordPlaces> = {
  order: 3,
  open(tx) {
    const places = new RecordPlaces(tx);
    return { forPlan: () => places, keep: () => undefined, save: () => undefined };
  },
};

/** Appends the event to the chain. One of a kind that comes in masses is left out while no webhook endpoint names it. */
export async function appendRecordEvent(writing: Writing, change: NewRecordEvent): Promise<void> {
  const { of, subTenantId, subjectId, event, usually, at, metadata } = change;
  const places = writing.part(recordPlaces);
  if (isConditional(event) && 'environmentId' in of) {
    if (!(await places.isNamed(of.environmentId, event))) return;
  }
  const place = await places.placeOf(of);
  if (!place) return;
  places.hasAppended = true;
  writing.part(chain).append({
    ...place,
    messageId: null,
    subjectId,
    subTenantId,
    event,
    actor: writing.actor ?? usually,
    occurredAt: at,
    ...(metadata ? { detail: { metadata } } : {}),
  });
}
