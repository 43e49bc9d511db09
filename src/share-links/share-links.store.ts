// Share links: what others may see without a key, until when.
import type { Committer } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { rowsAs } from '../database/sql.js';
import { paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import type { ShareLink, shareLinks } from './share-links.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof shareLinks>;

const COUNT_OPEN = `SELECT COUNT(*) AS n FROM share_links WHERE environment_id = ? AND target_id = ?
  AND revoked_at IS NULL AND expires_at > ?`;
const PRUNE = `DELETE FROM share_links WHERE id IN
  (SELECT id FROM share_links WHERE expires_at < ? ORDER BY expires_at LIMIT ?) RETURNING 1 AS one`;

export function createShareLinkStore(engine: Engine, committer: Committer) {
  const db = engine.read.$extendTables<Known>();
  const links = (scope: Scope) => {
    const query = db.selectFrom('share_links').selectAll().where('environment_id', '=', scope.environmentId);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  };

  return {
    async shareLink(scope: Scope, id: string): Promise<ShareLink | null> {
      return (await links(scope).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async shareLinks(
      scope: Scope,
      page: PageRequest,
      filter: { targetId?: string },
    ): Promise<Page<ShareLink>> {
      let query = paged(links(scope), page, { key: 'id' });
      if (filter.targetId !== undefined) query = query.where('target_id', '=', filter.targetId);
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    /** One that works at a time. Unscoped: the signature of its token is the permission. */
    async openLink(id: string, now: number): Promise<ShareLink | null> {
      const query = db
        .selectFrom('share_links')
        .selectAll()
        .where('id', '=', id)
        .where('revoked_at', 'is', null);
      return (await query.where('expires_at', '>', now).executeTakeFirst()) ?? null;
    },

    async countOpen(environmentId: number, targetId: string, now: number): Promise<number> {
      const values = [environmentId, targetId, now];
      const [row] = await rowsAs<{ n: number }>(engine.rows(COUNT_OPEN, values));
      return row?.n ?? 0;
    },

    /** Forgets links that ended before that moment; answers how many. */
    prune: (before: number, limit: number): Promise<number> =>
      committer.commit(async ({ tx }) => (await tx.run(PRUNE, [before, limit])).length),
  };
}
