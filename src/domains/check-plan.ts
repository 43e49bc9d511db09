// Plans the result of a domain check: columns, keys, and the sub-tenant's status and audit trail, in one transaction.
import type { Updateable } from 'kysely';
import type { Actor, TenantTrailEvent } from '../contract/names.js';
import { cleanReplyText } from '../lib/smtp-replies/index.js';
import { isAbandoned, nextCheckAt, type CheckedDomain, type CheckIntervals } from './check-time.rules.js';
import { keyMoves, type LifecycleSettings } from './keys/dkim-lifecycle.rules.js';
import { driftMove, type DriftMove } from './dns-drift.rules.js';
import type { CheckedTenant, DomainHolder } from './domain-checks.store.js';
import { tenantEntry } from '../tenants/tenant-entry.store.js';
import { retireKeys } from './keys/dkim-keys.js';
import { keyLookups, type DomainFindings, type KeyFinding } from './check-domain.js';
import { hostOfKey } from './domain-records.js';
import { keyPlan, type KeyTrail } from './keys/key-plan.js';
import { type DkimKey, type Sender, type SenderTable, senders } from './domains.tables.js';
import type { Change } from '../database/change.js';
import { subTenants } from '../tenants/tenants.tables.js';
import { update } from '../database/rows.js';
import { applyDomainStatus, type ApplyDomainStatus } from './apply-domain-status.store.js';
import { appendEvent } from '../events/append.store.js';

/** Number of foreign records that a trail entry quotes. */
const QUOTED = 3;

export interface CheckTerms {
  lifecycle: LifecycleSettings;
  intervals: CheckIntervals;
  /** Time (ms) that mail continues while the key that signs is not in DNS. */
  driftGraceMs: number;
}

export interface Checked {
  keys: readonly DkimKey[];
  findings: DomainFindings;
  now: number;
}

interface CheckPlan {
  changes: Change[];
  /** Whether to hold or release live mail; null for no change. */
  isSuspended: boolean | null;
  hasEvents: boolean;
  /** Time of the proof in this check, or `null`. */
  provedSince: number | null;
}

/** If the row has changed since it was read, the plan is rolled back and the domain is checked again. */
const ROW_CHANGED = {
  code: 'conflict',
  message: 'The domain was changed by another request. Try again.',
} as const;

export function tenantPlan(
  { row, live }: CheckedTenant,
  checked: Checked,
  terms: CheckTerms,
  actor: Actor,
): CheckPlan {
  const { findings, now } = checked;
  const trail: KeyTrail = { ...live, subTenantId: row.id, mode: row.dkim_mode };
  const { after, changes } = movedKeys(checked, terms.lifecycle, trail);
  const signing = signingKey(after, findings);
  const { status, drifting_since: driftingSince } = row;
  const recordState = signing?.recordState ?? 'unknown';
  const move = driftMove({ status, driftingSince, recordState, now, graceMs: terms.driftGraceMs });
  const set = {
    ...resultColumns(findings, now),
    ...statusAfter(row, { isComplete: findings.hasRequired && recordState === 'right', now }),
    ...movedColumns(move, now),
  };
  const next = { ...row, ...set };
  // Mail of a domain that was lost and is now proved again is released.
  const isReleased = set.status === 'verified' && row.verified_at !== null;
  const entry = move && driftEntry(move, { trail, signing, actor, now });
  const { deleted_at, last_checked_at, next_check_at, return_path_domain, inbound_domain, tracking_domain } =
    row;
  return {
    changes: [
      update(subTenants, {
        set: { ...set, next_check_at: nextCheckAt(next, awaitedKeys(after), now, terms.intervals) },
        where: {
          id: row.id,
          status,
          drifting_since: driftingSince,
          deleted_at,
          last_checked_at,
          // A request for an earlier check, or for new keys or names, sets its time.
          next_check_at,
          return_path_domain,
          inbound_domain,
          tracking_domain,
          dkim_mode: row.dkim_mode,
        },
        otherwise: ROW_CHANGED,
      }),
      ...changes,
      ...addressUpdates({ workspaceId: row.workspace_id, subTenantId: row.id }, set.status, now),
      ...(entry ? [entry] : []),
    ],
    isSuspended: next.status === 'suspended' ? true : isReleased ? false : null,
    hasEvents: entry !== null || changes.some((change) => appendEvent.is(change)),
    provedSince: next.status === 'verified' && recordState === 'right' ? next.verified_at : null,
  };
}

/** Updates the addresses that only the domain verifies. */
function addressUpdates(
  owner: Pick<ApplyDomainStatus, 'workspaceId' | 'subTenantId'>,
  status: string | undefined,
  at: number,
): Change[] {
  return status === undefined ? [] : [applyDomainStatus({ ...owner, at })];
}

/** Senders have no audit trail, because their status is visible to everyone who may read it. */
export function senderPlan(
  row: Sender,
  checked: Checked,
  terms: CheckTerms,
): Pick<CheckPlan, 'changes' | 'provedSince'> {
  const { findings, now } = checked;
  const moved = movedKeys(checked, terms.lifecycle, null);
  const { after } = moved;
  const recordState = signingKey(after, findings)?.recordState ?? 'unknown';
  const { status, drifting_since: driftingSince, deleted_at, last_checked_at, next_check_at } = row;
  const move = driftMove({ status, driftingSince, recordState, now, graceMs: terms.driftGraceMs });
  const set = {
    ...resultColumns(findings, now),
    ...statusAfter(row, { isComplete: findings.hasRequired && recordState === 'right', now }),
    ...movedColumns(move, now),
  };
  const next = { ...row, ...set };
  const changes: Change[] = [
    update(senders, {
      set: { ...set, next_check_at: nextCheckAt(next, awaitedKeys(after), now, terms.intervals) },
      where: {
        id: row.id,
        status,
        drifting_since: driftingSince,
        deleted_at,
        last_checked_at,
        next_check_at,
      },
      otherwise: ROW_CHANGED,
    }),
    ...moved.changes,
    ...addressUpdates({ workspaceId: row.workspace_id, subTenantId: row.sub_tenant_id }, set.status, now),
  ];
  const isProved = next.status === 'verified' && recordState === 'right';
  return { changes, provedSince: isProved ? next.verified_at : null };
}

/** Takes a domain from a workspace with an older proof. Its keys stop signing, and its mail is held. */
export function takeOverPlan(holder: DomainHolder, domain: string, now: number): Change[] {
  const { table, id, workspaceId, subTenantId, status } = holder;
  const set = {
    status: 'suspended',
    taken_over_at: now,
    drifting_since: null,
    next_check_at: null,
    return_path_ok: 0,
    inbound_ok: 0,
    tracking_ok: 0,
    updated_at: now,
  } as const;
  const where = { id, status, taken_over_at: null, deleted_at: null };
  const entries =
    table === 'sub_tenants'
      ? [
          tenantEntry(
            { ...holder.live, subTenantId: id },
            {
              event: 'tenant_dns_suspended',
              actor: 'worker',
              at: now,
              metadata: { domain, taken_over: true },
            },
          ),
        ]
      : [];
  return [
    table === 'sub_tenants'
      ? update(subTenants, { set, where, otherwise: ROW_CHANGED })
      : update(senders, { set, where, otherwise: ROW_CHANGED }),
    retireKeys(id),
    applyDomainStatus({ workspaceId, subTenantId, at: now }),
    ...entries,
  ];
}

/** The platform domain has keys only. */
export function platformPlan(checked: Checked, terms: CheckTerms): Change[] {
  return movedKeys(checked, terms.lifecycle, null).changes;
}

function movedKeys(
  { keys, findings, now }: Checked,
  settings: LifecycleSettings,
  trail: KeyTrail | null,
): { after: DkimKey[]; changes: Change[] } {
  const moves = keyMoves({ keys, lookups: keyLookups(findings.keys), now, settings });
  const after = keys.map((key) => {
    const move = moves.find(({ keyId }) => keyId === key.id);
    return move ? { ...key, state: move.to } : key;
  });
  return { after, changes: keyPlan({ moves, keys, trail, now }) };
}

interface SigningKey extends KeyFinding {
  key: DkimKey;
}

/** Returns the key that must be in DNS, because no mail is sent without its signature. */
function signingKey(keys: readonly DkimKey[], findings: DomainFindings): SigningKey | null {
  const key = keys.find(({ state, algorithm }) => state === 'active' && algorithm === 'rsa-sha256');
  const finding = key && findings.keys.get(key.id);
  return finding ? { key, ...finding } : null;
}

/** Returns the keys that wait for their DNS records. */
function awaitedKeys(keys: readonly DkimKey[]): { state: 'pending' | 'published'; created_at: number }[] {
  return keys.flatMap(({ state, created_at }) =>
    state === 'pending' || state === 'published' ? [{ state, created_at }] : [],
  );
}

/** Columns that sub-tenants and senders share. */
type ResultColumns = Pick<
  Updateable<SenderTable>,
  'dns_results' | 'last_checked_at' | 'return_path_ok' | 'inbound_ok' | 'tracking_ok'
>;

function resultColumns({ results, ...seen }: DomainFindings, now: number): ResultColumns {
  const { isReturnPathOk, isInboundOk, isTrackingOk } = seen;
  return {
    dns_results: JSON.stringify(results),
    last_checked_at: now,
    ...(isReturnPathOk === null ? {} : { return_path_ok: isReturnPathOk ? 1 : 0 }),
    ...(isInboundOk === null ? {} : { inbound_ok: isInboundOk ? 1 : 0 }),
    ...(isTrackingOk === null ? {} : { tracking_ok: isTrackingOk ? 1 : 0 }),
  };
}

/** Decides whether a pending domain becomes verified or failed. */
function statusAfter(
  row: CheckedDomain,
  { isComplete, now }: { isComplete: boolean; now: number },
): { status?: 'verified' | 'failed'; verified_at?: number; updated_at?: number } {
  if (row.status !== 'pending_verification' && row.status !== 'failed') return {};
  if (isComplete) return { status: 'verified', verified_at: now, updated_at: now };
  return isAbandoned(row, now) ? { status: 'failed', updated_at: now } : {};
}

function movedColumns(
  move: DriftMove | null,
  now: number,
): { status?: 'verified' | 'suspended'; drifting_since?: number | null; updated_at?: number } {
  switch (move?.kind) {
    case undefined:
      return {};
    case 'drift':
      return { drifting_since: now, updated_at: now };
    case 'suspend':
      return { status: 'suspended', updated_at: now };
    case 'recover':
      return { status: 'verified', drifting_since: null, updated_at: now };
  }
}

interface Entry {
  trail: KeyTrail;
  signing: SigningKey | null;
  actor: Actor;
  now: number;
}

function driftEntry(move: DriftMove, { trail, signing, actor, now }: Entry): Change {
  const record = signing && { host: hostOfKey(signing.key), selector: signing.key.selector };
  const seen = { status: signing?.recordState, found: signing?.found.slice(0, QUOTED).map(cleanReplyText) };
  const entry = (event: TenantTrailEvent, metadata: Record<string, unknown>): Change =>
    tenantEntry(trail, { event, actor, at: now, metadata: { ...record, ...metadata } });
  switch (move.kind) {
    case 'drift':
      return entry('tenant_dns_drifted', { ...seen, grace_ends_at: iso(move.graceEndsAt) });
    case 'suspend':
      return entry('tenant_dns_suspended', { ...seen, drifting_since: iso(move.driftingSince) });
    case 'recover': {
      const since = move.driftingSince === null ? {} : { drifting_since: iso(move.driftingSince) };
      return entry('tenant_dns_recovered', { from: move.from, ...since });
    }
  }
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
