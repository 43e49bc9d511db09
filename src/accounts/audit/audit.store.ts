// The audit log. An entry is written in the transaction of its change, by the plan or by a commit hook of the request.
import type { Actor, Mode } from '../../contract/names.js';
import { newId } from '../../lib/runtime/index.js';
import type { CommitHooks } from '../../lib/concurrency/index.js';
import type { Committer, AttachedWrite, Writing } from '../../database/committer.js';
import { columnNames, type TablesOf } from '../../database/columns.js';
import type { Engine, Tx } from '../../database/engine/engine.js';
import { cutPage, type Page, type PageRequest, type Scope } from '../../database/scope.js';
import { insertRow } from '../../database/sql.js';
import { auditEntries, type AuditEntryTable, type AuditRow } from './audit.tables.js';
import type { Change, Plan } from '../../database/change.js';
import { insert, insertedInto } from '../../database/rows.js';

type Known = TablesOf<typeof auditEntries>;

/** Content of an entry. `detail` contains no secrets, message content or contact data. */
export interface AuditEntry {
  at: number;
  organizationId: string;
  /** Null for a change of the organization. */
  workspaceId: string | null;
  subTenantId?: string | null;
  mode?: Mode | null;
  actor: { kind: AuditEntryTable['actor_kind']; id: string | null };
  /** An operation of the API, or a name in the same form, such as `auth.signIn`. */
  action: string;
  targetId?: string | null;
  /** True if the request creates many objects, so the entry names none of them. */
  makesMany?: boolean;
  detail?: Record<string, unknown>;
  ip?: string | null;
  requestId?: string | null;
}

export interface AuditFilter {
  /** Includes entries without a workspace. */
  ofOrganization: boolean;
  actorId?: string;
  action?: string;
  targetId?: string;
  /** Epoch ms; `since` is inclusive, `until` exclusive. */
  since?: number;
  until?: number;
}

const COLUMNS = columnNames(auditEntries);
/** The first commit of a request writes the entry. Concurrent commits contain it too, because it is not known which is first. */
const WRITE = `${insertRow(auditEntries, COLUMNS)} ON CONFLICT (id) DO NOTHING`;
/** IDs begin with their time, so the oldest sort first. */
const PRUNE = `DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE id < ? ORDER BY id LIMIT ?)
  RETURNING 1 AS one`;

/** Tables whose rows are created along with the object of a request. */
const SECONDARY: readonly string[] = ['dkim_keys', 'audit_entries', 'organizations', 'members', 'sessions'];

/** Returns the change that stores an entry with its plan. */
export function auditInsert(entry: AuditEntry): Change {
  return insert(auditEntries, { row: rowOf(entry) });
}

function rowOf(entry: AuditEntry): AuditRow {
  return {
    id: newId('aud', entry.at),
    organization_id: entry.organizationId,
    workspace_id: entry.workspaceId,
    sub_tenant_id: entry.subTenantId ?? null,
    mode: entry.mode ?? null,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    action: entry.action,
    target_id: entry.targetId ?? null,
    detail: JSON.stringify(entry.detail ?? {}),
    ip: entry.ip ?? null,
    request_id: entry.requestId ?? null,
    at: entry.at,
  };
}

/** Returns the ID of the object that a plan creates, or null. */
export function createdId(plan: Plan): string | null {
  for (const change of plan) {
    const table = insertedInto(change);
    if (change.madeId !== null && (table === null || !SECONDARY.includes(table))) return change.madeId;
  }
  return null;
}

/** An entry that waits for the first commit of its request. Its ID is set from the start. */
export interface PendingAuditEntry {
  row: AuditRow;
  detail: Record<string, unknown>;
  /** True if the created object becomes the target, or is added to it. */
  namesMade: boolean;
}

export function pendingAuditEntry(entry: AuditEntry): PendingAuditEntry {
  return { row: rowOf(entry), detail: entry.detail ?? {}, namesMade: entry.makesMany !== true };
}

/** Returns the entry that the current request still has to write, for the committer. */
export function auditHook(hooks: CommitHooks<PendingAuditEntry>): () => AttachedWrite | null {
  return () => {
    const hook = hooks.pending();
    return (
      hook && {
        write: (writing, made) => write(writing, hook.payload, made),
        committed: () => hook.committed(),
      }
    );
  };
}

/** Returns the actor of the request that causes the commit, in the form of the audit trail. */
export function currentActor(hooks: CommitHooks<PendingAuditEntry>): Actor | null {
  const kind = hooks.current()?.row.actor_kind;
  return kind === 'api_key' ? 'api' : kind === 'user' ? 'user' : null;
}

async function write({ tx }: Writing, entry: PendingAuditEntry, firstMade: string | null): Promise<void> {
  const { row, detail, namesMade } = entry;
  const made = namesMade ? firstMade : null;
  const isTarget = row.target_id === null || made === null || made === row.target_id;
  const shown = isTarget ? row.detail : JSON.stringify({ ...detail, made });
  const full = { ...row, target_id: row.target_id ?? made, detail: shown };
  await tx.run(
    WRITE,
    COLUMNS.map((column) => full[column]),
  );
}

async function prune(tx: Tx, before: number, limit: number): Promise<number> {
  return (await tx.run(PRUNE, [lowestId(before), limit])).length;
}

export function createAuditStore(
  engine: Engine,
  committer: Committer,
  hooks: CommitHooks<PendingAuditEntry>,
) {
  return {
    /** Holds a request's entry until its first commit. */
    hooks,

    /**
     * Reads changes in a workspace and, if the filter includes it, in its organization, newest first. A narrowed scope sees its
     * sub-tenant's changes, and the test environment its own.
     */
    async entries(scope: Scope, page: PageRequest, filter: AuditFilter): Promise<Page<AuditRow>> {
      let query = engine.read
        .$extendTables<Known>()
        .selectFrom('audit_entries')
        .selectAll()
        .where('organization_id', '=', scope.organizationId)
        .orderBy('id', 'desc')
        .limit(page.limit + 1);
      query =
        scope.subTenantId === null && filter.ofOrganization
          ? query.where((eb) =>
              eb.or([eb('workspace_id', '=', scope.workspaceId), eb('workspace_id', 'is', null)]),
            )
          : query.where('workspace_id', '=', scope.workspaceId);
      if (scope.subTenantId !== null) query = query.where('sub_tenant_id', '=', scope.subTenantId);
      if (scope.mode === 'test') query = query.where('mode', '=', 'test');
      if (filter.actorId !== undefined) query = query.where('actor_id', '=', filter.actorId);
      if (filter.action !== undefined) query = query.where('action', '=', filter.action);
      if (filter.targetId !== undefined) query = query.where('target_id', '=', filter.targetId);
      if (filter.since !== undefined) {
        query = query.where('at', '>=', filter.since).where('id', '>=', lowestId(filter.since));
      }
      if (filter.until !== undefined) {
        query = query.where('at', '<', filter.until).where('id', '<', lowestId(filter.until));
      }
      if (page.after !== null) query = query.where('id', '<', page.after);
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    /** Deletes at most `limit` rows from before `before` (epoch ms), oldest first, and returns their number. */
    prune: (before: number, limit: number): Promise<number> =>
      committer.commit(({ tx }) => prune(tx, before, limit)),
  };
}

/** Returns the lowest possible ID of a time, without its random part. */
function lowestId(at: number): string {
  return newId('aud', at).slice(0, -16);
}
