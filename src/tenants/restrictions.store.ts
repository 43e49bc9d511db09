// Sub-tenants that are held back: throttled, paused or suspended.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowOf } from '../database/columns.js';
import type { subTenants, TenantReputation } from './tenants.tables.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';

/** Rows of sub-tenants that one statement reads. */
const STEP = 2_000;

/** Restriction of a sub-tenant in one environment. */
export interface Restriction {
  environmentId: number;
  tenantId: string;
  /** Set by its owner, for live mail. `null` if there is no limit. */
  perHour: number | null;
  isThrottled: boolean;
  isPaused: boolean;
  /** Its domain is out of order, for live mail. */
  isSuspended: boolean;
}

const PAUSED = `SELECT sub_tenant_id FROM tenant_reputations
  WHERE environment_id = ? AND paused_at IS NOT NULL AND sub_tenant_id IN`;
const HELD_BY_OWNER = `SELECT s.id, s.throttle_per_hour, s.status, e.id AS environment_id FROM (
    SELECT id, workspace_id, throttle_per_hour, status, deleted_at FROM sub_tenants WHERE id > ? ORDER BY id LIMIT ${STEP}
  ) AS s JOIN environments e ON e.workspace_id = s.workspace_id AND e.mode = 'live'
  WHERE s.deleted_at IS NULL AND (s.throttle_per_hour IS NOT NULL OR s.status = 'suspended')`;
const END_OF_STEP = `SELECT id FROM sub_tenants WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${STEP - 1}`;
const HELD_BY_REPUTATION = `SELECT t.environment_id, t.sub_tenant_id, t.state, t.paused_at FROM tenant_reputations t
  JOIN sub_tenants s ON s.id = t.sub_tenant_id AND s.deleted_at IS NULL
  WHERE t.state = 'throttled' OR t.paused_at IS NOT NULL`;

type HeldByReputation = Pick<TenantReputation, 'environment_id' | 'sub_tenant_id' | 'state' | 'paused_at'>;
type HeldByOwner = Pick<RowOf<typeof subTenants>, 'id' | 'throttle_per_hour' | 'status'> & {
  environment_id: number;
};

export function createRestrictionReads(engine: Engine) {
  return {
    /** Returns the paused ones of the senders, as `tenantKey` writes them. */
    async pausedAmong(
      senders: readonly { environmentId: number; subTenantId: string | null }[],
    ): Promise<Set<string>> {
      const paused = new Set<string>();
      for (const environmentId of new Set(senders.map((sender) => sender.environmentId))) {
        const ofOne = senders.filter((sender) => sender.environmentId === environmentId);
        const ids = ofOne.flatMap(({ subTenantId }) => subTenantId ?? []);
        if (ids.length === 0) continue;
        const { marks, values } = inList([...new Set(ids)]);
        const rows = await rowsAs<Pick<TenantReputation, 'sub_tenant_id'>>(
          engine.rows(`${PAUSED} (${marks})`, [environmentId, ...values]),
        );
        for (const { sub_tenant_id } of rows) paused.add(tenantKey(environmentId, sub_tenant_id));
      }
      return paused;
    },

    /** Returns the restrictions of all sub-tenants, in every environment. */
    async restrictions(): Promise<Restriction[]> {
      const found = new Map<string, Restriction>();
      const at = (environmentId: number, tenantId: string): Restriction => {
        const key = tenantKey(environmentId, tenantId);
        let known = found.get(key);
        if (!known) {
          const free = { perHour: null, isThrottled: false, isPaused: false, isSuspended: false };
          found.set(key, (known = { environmentId, tenantId, ...free }));
        }
        return known;
      };
      for (let after = ''; ;) {
        for (const row of await rowsAs<HeldByOwner>(engine.rows(HELD_BY_OWNER, [after]))) {
          const one = at(row.environment_id, row.id);
          one.perHour = row.throttle_per_hour;
          one.isSuspended = row.status === 'suspended';
        }
        const [end] = await rowsAs<{ id: string }>(engine.rows(END_OF_STEP, [after]));
        if (!end) break;
        after = end.id;
        await nextTurn();
      }
      for (const row of await rowsAs<HeldByReputation>(engine.rows(HELD_BY_REPUTATION, []))) {
        const one = at(row.environment_id, row.sub_tenant_id);
        one.isThrottled = row.state === 'throttled';
        one.isPaused = row.paused_at !== null;
      }
      return [...found.values()];
    },
  };
}

export function tenantKey(environmentId: number, subTenantId: string): string {
  return `${environmentId} ${subTenantId}`;
}
