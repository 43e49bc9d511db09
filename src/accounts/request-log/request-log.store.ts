// The API request log, which is written in batches and read newest first.
import { newId } from '../../lib/runtime/index.js';
import type { Committer } from '../../database/committer.js';
import { columnNames, type TablesOf } from '../../database/columns.js';
import type { Engine } from '../../database/engine/engine.js';
import { insertInto, insertRows, likePrefix } from '../../database/sql.js';
import type { Page, PageRequest, Scope } from '../../database/scope.js';
import { pageInWindows } from '../../database/paged.js';
import { type LoggedRequest, requestLog } from './request-log.tables.js';

type Known = TablesOf<typeof requestLog>;

export interface RequestLogFilter {
  /** Both inclusive. */
  statuses?: readonly [from: number, to: number];
  method?: string;
  /** Beginning of the path. */
  path?: string;
  actorId?: string;
  actorKind?: LoggedRequest['actor_kind'];
  code?: string;
  /** Epoch ms; `since` is inclusive, `until` exclusive. */
  since?: number;
  until?: number;
}

const COLUMNS = columnNames(requestLog);
const WRITE = insertInto(requestLog, COLUMNS);
/** IDs begin with their time, so the oldest sort first. */
const PRUNE = `DELETE FROM request_log WHERE id IN (SELECT id FROM request_log WHERE id < ? ORDER BY id LIMIT ?)
  RETURNING 1 AS one`;

export type RequestLogStore = ReturnType<typeof createRequestLogStore>;

export function createRequestLogStore(engine: Engine, committer: Committer) {
  return {
    /** Writes without commit hooks, because these rows do not belong to the request in whose scope this runs. */
    write: (rows: readonly LoggedRequest[]): Promise<void> =>
      committer.commitAlone(async ({ tx }) => {
        await insertRows(
          tx,
          WRITE,
          rows.map((row) => COLUMNS.map((column) => row[column])),
        );
      }),

    /** Reads requests of the scope's environment and sub-tenant, newest first. */
    list(scope: Scope, page: PageRequest, filter: RequestLogFilter): Promise<Page<LoggedRequest>> {
      const { statuses, method, path, actorId, actorKind, code, since, until } = filter;
      const isWhole =
        scope.subTenantId === null && !statuses && !method && !path && !actorId && !actorKind && !code;
      const beyond = (after: string | null) => {
        let query = engine.read
          .$extendTables<Known>()
          .selectFrom('request_log')
          .where('environment_id', '=', scope.environmentId)
          .orderBy('id', 'desc');
        if (since !== undefined) query = query.where('id', '>=', lowestId(since));
        if (until !== undefined) query = query.where('id', '<', lowestId(until));
        return after === null ? query : query.where('id', '<', after);
      };
      return pageInWindows<LoggedRequest>({
        ...page,
        keyOf: (row) => row.id,
        async endOf(after, count) {
          if (isWhole) return null;
          const last = await beyond(after)
            .select('id')
            .offset(count - 1)
            .limit(1)
            .executeTakeFirst();
          return last?.id ?? null;
        },
        rowsOf({ after, end, limit }) {
          let query = beyond(after).selectAll().limit(limit);
          if (end !== null) query = query.where('id', '>=', end);
          if (scope.subTenantId !== null) query = query.where('sub_tenant_id', '=', scope.subTenantId);
          if (statuses) query = query.where('status', '>=', statuses[0]).where('status', '<=', statuses[1]);
          if (method !== undefined) query = query.where('method', '=', method);
          if (path !== undefined) query = query.where('path', 'like', likePrefix(path));
          if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
          if (actorKind !== undefined) query = query.where('actor_kind', '=', actorKind);
          if (code !== undefined) query = query.where('code', '=', code);
          return query.execute();
        },
      });
    },

    /** Deletes at most `limit` rows from before `before` (epoch ms), oldest first, and returns their number. */
    prune: (before: number, limit: number): Promise<number> =>
      committer.commitAlone(async ({ tx }) => (await tx.run(PRUNE, [lowestId(before), limit])).length),
  };
}

/** Returns the lowest possible ID of a time, without its random part. */
function lowestId(at: number): string {
  return newId('rlg', Math.max(at, 0)).slice(0, -16);
}
