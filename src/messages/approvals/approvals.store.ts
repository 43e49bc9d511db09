// Reads approvals with the requesting key and the first message.
import { sql, type SqlBool } from 'kysely';
import type { Engine } from '../../database/engine/engine.js';
import type { TablesOf } from '../../database/columns.js';
import { paged } from '../../database/paged.js';
import { notByIndex } from '../../database/sql.js';
import { cutPage, type Page, type PageRequest, type Scope } from '../../database/scope.js';
import type { apiKeys } from '../../accounts/api-keys/api-keys.tables.js';
import type { environments, organizations, workspaces } from '../../accounts/accounts.tables.js';
import type { users } from '../../accounts/people/people.tables.js';
import { APPROVAL_STATUSES, type ApprovalStatus, type Mode } from '../../contract/names.js';
import type { Message, messages } from '../messages.tables.js';
import type { Approval, approvals } from './approvals.tables.js';

type Known = TablesOf<
  | typeof apiKeys
  | typeof approvals
  | typeof environments
  | typeof messages
  | typeof organizations
  | typeof users
  | typeof workspaces
>;

/** An approval as presented. The columns of a message or key that no longer exists are null. */
export interface ShownApproval extends Approval {
  message_public_id: string | null;
  subject: string | null;
  from_email: string | null;
  from_name: string | null;
  to_email: string | null;
  key_name: string | null;
  owner_id: string | null;
  owner_email: string | null;
}

interface ApprovalFilter {
  status?: readonly ApprovalStatus[];
  apiKeyId?: string;
}

/** An expired pending approval with its scope. */
export interface DueApproval
  extends Approval, Pick<Scope, 'organizationId' | 'workspaceId' | 'workspaceNumber'> {
  mode: Mode;
}

/** Pending approvals of a live environment, some of which approvers were not notified of. */
export interface UnannouncedApprovals {
  environmentId: number;
  workspaceId: string;
  workspaceName: string;
  organizationId: string;
  count: number;
}

export type ApprovalStore = ReturnType<typeof createApprovalStore>;

export function createApprovalStore(engine: Engine) {
  return { ...shownReads(engine), ...contentReads(engine), ...sweepReads(engine) };
}

function shownReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const shown = () =>
    db
      .selectFrom('approvals as a')
      .leftJoin('messages as m', 'm.id', 'a.message_id')
      .leftJoin('api_keys as k', 'k.id', 'a.api_key_id')
      .leftJoin('users as u', 'u.id', 'k.made_by')
      .selectAll('a')
      .select([
        'm.public_id as message_public_id',
        'm.subject',
        'm.from_email',
        'm.from_name',
        'm.to_email',
        'k.name as key_name',
        'k.made_by as owner_id',
        'u.email as owner_email',
      ]);
  const shownIn = (
    scope: Pick<Scope, 'environmentId' | 'subTenantId'>,
    environment = sql.ref<number>('a.environment_id'),
  ) => {
    const query = shown().where(environment, '=', scope.environmentId);
    return scope.subTenantId === null ? query : query.where('a.sub_tenant_id', '=', scope.subTenantId);
  };
  return {
    async approval(scope: Scope, id: string): Promise<ShownApproval | null> {
      return (await shownIn(scope).where('a.id', '=', id).executeTakeFirst()) ?? null;
    },

    async approvals(
      scope: Scope,
      page: PageRequest,
      { status, apiKeyId }: ApprovalFilter,
    ): Promise<Page<ShownApproval>> {
      if (apiKeyId !== undefined) {
        let query = paged(shownIn(scope, notByIndex('a.environment_id')), page, { key: 'id', of: 'a' });
        if (status !== undefined) query = query.where('a.status', 'in', status);
        const rows = await query.where('a.api_key_id', '=', apiKeyId).execute();
        return cutPage(rows, page.limit, (row) => row.id);
      }
      // The indexes have each status in order.
      const ofStatuses = await Promise.all(
        [...new Set(status ?? APPROVAL_STATUSES)].map((one) =>
          paged(shownIn(scope), page, { key: 'id', of: 'a' }).where('a.status', '=', one).execute(),
        ),
      );
      const before = page.order === 'asc' ? 1 : -1;
      const rows = ofStatuses.flat().toSorted((a, b) => (a.id < b.id ? -before : before));
      return cutPage(rows.slice(0, page.limit + 1), page.limit, (row) => row.id);
    },

    /** Unscoped: for webhooks, which are for who may see the event. */
    async approvalsById(environmentId: number, ids: readonly string[]): Promise<ShownApproval[]> {
      return shown().where('a.environment_id', '=', environmentId).where('a.id', 'in', ids).execute();
    },

    async countPending(scope: Scope): Promise<number> {
      let query = db
        .selectFrom('approvals')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('environment_id', '=', scope.environmentId)
        .where('status', '=', 'pending');
      if (scope.subTenantId !== null) query = query.where('sub_tenant_id', '=', scope.subTenantId);
      return Number((await query.executeTakeFirstOrThrow()).n);
    },
  };
}

function contentReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** The approval that a message waits for; null if it does not wait. The message must have been found with a scope. */
    async pendingOf({
      content_id,
      status,
    }: Pick<Message, 'content_id' | 'status'>): Promise<Approval | null> {
      if (status !== 'queued') return null;
      const query = db.selectFrom('approvals').selectAll().where('content_id', '=', content_id);
      return (await query.where('status', '=', 'pending').executeTakeFirst()) ?? null;
    },

    async approvalsOfContents(contentIds: readonly number[]): Promise<Approval[]> {
      if (contentIds.length === 0) return [];
      return db.selectFrom('approvals').selectAll().where('content_id', 'in', contentIds).execute();
    },
  };
}

/** Unscoped: for background work. */
function sweepReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Expired pending approvals, after the last one of an earlier read. */
    async expired(
      now: number,
      limit: number,
      after: Pick<Approval, 'expires_at' | 'id'> | null,
    ): Promise<DueApproval[]> {
      let query = db
        .selectFrom('approvals as a')
        .innerJoin('environments as e', 'e.id', 'a.environment_id')
        .innerJoin('workspaces as w', 'w.id', 'e.workspace_id')
        .selectAll('a')
        .select([
          'e.mode',
          'w.id as workspaceId',
          'w.number as workspaceNumber',
          'w.organization_id as organizationId',
        ])
        .where('a.status', '=', 'pending')
        .where('a.expires_at', '<=', now)
        .orderBy('a.expires_at')
        .orderBy('a.id')
        .limit(limit);
      if (after !== null) {
        query = query.where(sql<SqlBool>`(a.expires_at, a.id) > (${after.expires_at}, ${after.id})`);
      }
      return query.execute();
    },

    /** Live environments with pending approvals that approvers were not notified of. */
    async unannounced(): Promise<UnannouncedApprovals[]> {
      const rows = await db
        .selectFrom('approvals as a')
        .innerJoin('environments as e', 'e.id', 'a.environment_id')
        .innerJoin('workspaces as w', 'w.id', 'e.workspace_id')
        .select((eb) => [
          'e.id as environmentId',
          'w.id as workspaceId',
          'w.name as workspaceName',
          'w.organization_id as organizationId',
          eb.fn.countAll().as('count'),
        ])
        .where('a.status', '=', 'pending')
        .where('e.mode', '=', 'live')
        .groupBy(['e.id', 'w.id', 'w.name', 'w.organization_id'])
        .having((eb) => eb(eb.fn.count('a.announced_at'), '<', eb.fn.countAll()))
        .execute();
      return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
    },
  };
}
