// MTA-STS policies of recipient domains, stored across restarts until they expire (RFC 8461 section 5.1).
import { type Selectable, sql } from 'kysely';
import type { Engine } from '../../database/engine/engine.js';
import { type MtaStsPolicyTable, mtaStsPolicies } from '../outbound.tables.js';
import type { Change } from '../../database/change.js';
import { upsert, update, remove } from '../../database/rows.js';
import type { TablesOf } from '../../database/columns.js';

type Known = TablesOf<typeof mtaStsPolicies>;

/** A cached policy. Times in epoch milliseconds. */
export interface KeptStsPolicy {
  domain: string;
  /** The id that the TXT record announced. */
  id: string;
  mode: 'enforce' | 'testing';
  mx: string[];
  /** Of the policy file. */
  lines: string[];
  maxAgeS: number;
  fetchedAt: number;
  /** When mail last asked for it, to within some hours. */
  checkedAt: number;
  expiresAt: number;
}

export type StsPolicyStore = ReturnType<typeof createStsPolicyStore>;

export function createStsPolicyStore(engine: Engine) {
  // Policies with mode `none` are not stored. An existing row with this mode does not apply to any mail.
  const policies = () =>
    engine.read
      .$extendTables<Known>()
      .selectFrom('mta_sts_policies')
      .selectAll()
      .where('mode', 'in', ['enforce', 'testing']);
  return {
    /** Also when it has expired. */
    async policy(domain: string): Promise<KeptStsPolicy | null> {
      const row = await policies().where('domain', '=', domain).executeTakeFirst();
      return row ? readPolicy(row) : null;
    },

    /**
     * Policies that mail has asked for since `usedSince` and that were fetched before `fetchedBefore` or have passed
     * half of their life. Ordered by domain, after the given one.
     */
    async dueForRefresh(due: {
      now: number;
      fetchedBefore: number;
      usedSince: number;
      afterDomain: string;
      limit: number;
    }): Promise<KeptStsPolicy[]> {
      const rows = await policies()
        .where('domain', '>', due.afterDomain)
        .where('expires_at', '>', due.now)
        .where('checked_at', '>=', due.usedSince)
        .where((eb) =>
          eb.or([
            eb('fetched_at', '<=', due.fetchedBefore),
            eb(sql<number>`expires_at - max_age_s * 500`, '<=', due.now),
          ]),
        )
        .orderBy('domain')
        .limit(due.limit)
        .execute();
      return rows.map(readPolicy);
    },

    /** Domain and time of fetch of up to `limit` policies that have expired before the given time. */
    async expired(before: number, limit: number): Promise<Pick<KeptStsPolicy, 'domain' | 'fetchedAt'>[]> {
      const rows = await engine.read
        .$extendTables<Known>()
        .selectFrom('mta_sts_policies')
        .select(['domain', 'fetched_at'])
        .where('expires_at', '<', before)
        .orderBy('domain')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ domain: row.domain, fetchedAt: row.fetched_at }));
    },
  };
}

function readPolicy(row: Selectable<MtaStsPolicyTable>): KeptStsPolicy {
  return {
    domain: row.domain,
    id: row.policy_id,
    mode: row.mode === 'enforce' ? 'enforce' : 'testing',
    mx: JSON.parse(row.mx) as string[],
    lines: row.policy.split('\n'),
    maxAgeS: row.max_age_s,
    fetchedAt: row.fetched_at,
    checkedAt: row.checked_at,
    expiresAt: row.expires_at,
  };
}

/** Replaces the previous policy. */
export function keepStsPolicy(policy: KeptStsPolicy): Change {
  const set = {
    policy_id: policy.id,
    mode: policy.mode,
    mx: JSON.stringify(policy.mx),
    max_age_s: policy.maxAgeS,
    policy: policy.lines.join('\n'),
    fetched_at: policy.fetchedAt,
    checked_at: policy.checkedAt,
    expires_at: policy.expiresAt,
  };
  const row = { domain: policy.domain, ...set };
  return upsert(mtaStsPolicies, { row, key: ['domain'], set });
}

/** Mail has asked for the policy. */
export function markStsPolicyUsed(domain: string, at: number): Change {
  return update(mtaStsPolicies, { set: { checked_at: at }, where: { domain } });
}

/** Deletes the policy unless it was fetched again in the meantime. */
export function dropStsPolicy(policy: Pick<KeptStsPolicy, 'domain' | 'fetchedAt'>): Change {
  const { domain, fetchedAt } = policy;
  return remove(mtaStsPolicies, { where: { domain, fetched_at: fetchedAt } });
}
