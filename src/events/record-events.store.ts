// Events about records that are neither messages nor sub-tenants, written in the transaction that changes the record. They say
// which record it is and nothing of what is in it, so that nothing of a person has to be erased from the chain.
import { isConditional } from './record-events.rules.js';
import type { Actor, RecordEvent } from '../contract/names.js';
import type { Writing } from '../store/committer.js';
import type { Tx } from '../store/engine/engine.js';

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

/** Facts about its environments that a transaction needs once, however many events it writes. */
export interface RecordPlaces {
  placeOf(of: NewRecordEvent['of']): Promise<Place | null>;
  /** Whether a webhook endpoint of the environment names the event. */
  isNamed(environmentId: number, event: RecordEvent): Promise<boolean>;
  /** An event was appended. */
  appended(): void;
  readonly hasAppended: boolean;
}

const BY_ENVIRONMENT = `SELECT e.id, w.number FROM environments e JOIN workspaces w ON w.id = e.workspace_id WHERE e.id = ?`;
const BY_WORKSPACE = `SELECT e.id, w.number FROM environments e JOIN workspaces w ON w.id = e.workspace_id
  WHERE e.workspace_id = ? AND e.mode = 'live'`;
const NAMED = 'SELECT events FROM webhook_endpoints WHERE environment_id = ? AND events IS NOT NULL';

export function createRecordPlaces(tx: Tx): RecordPlaces {
  const places = new Map<number | string, Place | null>();
  const named = new Map<number, Set<string>>();
  let hasAppended = false;
  return {
    async placeOf(of) {
      const [statement, key] =
        'environmentId' in of ? [BY_ENVIRONMENT, of.environmentId] : [BY_WORKSPACE, of.workspaceId];
      let place = places.get(key);
      if (place === undefined) {
        const [row] = await tx.run(statement, [key]);
        place = row ? { environmentId: row['id'] as number, workspaceNumber: row['number'] as number } : null;
        places.set(key, place);
      }
      return place;
    },
    async isNamed(environmentId, event) {
      let names = named.get(environmentId);
      if (names === undefined) {
        const rows = await tx.run(NAMED, [environmentId]);
        names = new Set(rows.flatMap((row) => JSON.parse(row['events'] as string) as string[]));
        named.set(environmentId, names);
      }
      return names.has(event);
    },
    appended: () => void (hasAppended = true),
    get hasAppended() {
      return hasAppended;
    },
  };
}

/** Appends the event to the chain. One of a kind that comes in masses is left out while no webhook endpoint names it. */
export async function appendRecordEvent(writing: Writing, change: NewRecordEvent): Promise<void> {
  const { of, subTenantId, subjectId, event, usually, at, metadata } = change;
  if (isConditional(event) && 'environmentId' in of) {
    if (!(await writing.records.isNamed(of.environmentId, event))) return;
  }
  const place = await writing.records.placeOf(of);
  if (!place) return;
  writing.records.appended();
  writing.chain.append({
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
