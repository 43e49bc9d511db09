// Imports suppressions, one batch per commit. If an import fails, committed batches remain, and it can be repeated.
import { Refusal } from '../contract/refusal.js';
import { SUPPRESSION_REASONS } from './suppression.schema.js';
import { addressKey, addressProblem, parseMailbox } from '../lib/mime/index.js';
import { newId } from '../lib/runtime/index.js';
import type { Scope } from '../database/scope.js';
import type { SuppressionContext } from './context.js';
import type { ImportEntries, ImportEntry } from './entries.js';
import { reasonOfWord } from './opt-out-words.rules.js';
import type { Suppression } from './suppressions.tables.js';
import type { Change } from '../database/change.js';
import { suppress } from './suppression-changes.store.js';

/** Addresses of one commit (10 ms). */
const BATCH = 500;
const MAX_ERRORS = 100;
const MAX_SHOWN_ADDRESS = 320;
/** Sub-tenants that an import remembers. */
const MAX_TENANTS = 1000;
const TENANT_ID = /^tnt_[0-9a-z]{26}$/;

const NO_TENANT = 'The sub-tenant does not exist.';

type ImportWork = Pick<SuppressionContext, 'store' | 'clock'>;

interface ImportOutcome {
  total: number;
  created: number;
  /** Entries that existed before, or that appear twice. */
  existing: number;
  failed: number;
  /** Limited to the first 100. */
  errors: { line: number; email: string | null; message: string }[];
}

/** A row to add, without what its commit gives it. */
export type WantedSuppression = Pick<Suppression, 'sub_tenant_key' | 'email' | 'email_key' | 'reason'>;

/**
 * Suppresses every entry for its sub-tenant: that of the scope, the one that it names, or none for the workspace. If a Refusal ends
 * the import early, its `details` contain the progress.
 */
export async function importSuppressions(
  work: ImportWork,
  scope: Scope,
  entries: ImportEntries,
): Promise<ImportOutcome> {
  const outcome: ImportOutcome = { total: 0, created: 0, existing: 0, failed: 0, errors: [] };
  const read = createEntryReader(work.store, scope);
  let batch: WantedSuppression[] = [];
  const commit = async (): Promise<void> => {
    const created = await addBatch(work, scope, batch);
    outcome.created += created;
    outcome.existing += batch.length - created;
    batch = [];
  };
  try {
    for await (const some of entries) {
      for (const entry of some) {
        outcome.total++;
        const wanted = await read(entry);
        if (typeof wanted === 'string') note(outcome, entry, wanted);
        else batch.push(wanted);
        if (batch.length === BATCH) await commit();
      }
    }
    await commit();
    if (outcome.failed > 0 && outcome.failed === outcome.total) throw nothingRead(outcome);
  } catch (error) {
    throw error instanceof Refusal ? withProgress(error, outcome) : error;
  }
  return outcome;
}

function note(outcome: ImportOutcome, { line, email }: ImportEntry, message: string): void {
  outcome.failed++;
  if (outcome.errors.length >= MAX_ERRORS) return;
  outcome.errors.push({ line, email: email === null ? null : email.slice(0, MAX_SHOWN_ADDRESS), message });
}

function nothingRead({ errors }: ImportOutcome): Refusal {
  const [first] = errors;
  const message = `The body has no valid entry. Line ${first?.line ?? 1}: ${first?.message ?? ''}`;
  return new Refusal('validation_error', message, {
    details: { fields: [{ path: 'body', message }], errors },
  });
}

function withProgress(refusal: Refusal, { created, existing, failed }: ImportOutcome): Refusal {
  return new Refusal(refusal.code, refusal.message, {
    ...(refusal.param === undefined ? {} : { param: refusal.param }),
    details: { ...refusal.details, imported: { created, existing, failed } },
  });
}

/** Returns a function that reads the row of an entry, or the problem of the entry as a sentence. */
export function createEntryReader(
  store: Pick<ImportWork['store'], 'tenants'>,
  scope: Scope,
): (entry: ImportEntry) => Promise<WantedSuppression | string> | WantedSuppression | string {
  const tenants = new Map<string, boolean>();

  async function hasTenant(id: string): Promise<boolean> {
    let isThere = tenants.get(id);
    if (isThere === undefined) {
      isThere = (await store.tenants.subTenant(scope, id)) !== null;
      if (tenants.size >= MAX_TENANTS) tenants.clear();
      tenants.set(id, isThere);
    }
    return isThere;
  }

  return (entry) => {
    if ('problem' in entry) return entry.problem;
    const email = parseMailbox(entry.email)?.email ?? entry.email.trim();
    const problem = email === '' ? 'The address is missing.' : addressProblem(email, { utf8Local: true });
    if (problem !== null) return problem;
    const reason = entry.reason === '' ? 'manual' : reasonOfWord(entry.reason);
    if (reason === null || reason === 'none')
      return `reason must be one of ${SUPPRESSION_REASONS.join(', ')}.`;
    const row = { email, email_key: addressKey(email), reason };
    const { subTenantId } = entry;
    if (subTenantId === '' || subTenantId === scope.subTenantId) {
      return { ...row, sub_tenant_key: scope.subTenantId ?? '' };
    }
    if (scope.subTenantId !== null) return 'The entry names a different sub-tenant than the request.';
    if (!TENANT_ID.test(subTenantId)) return NO_TENANT;
    return hasTenant(subTenantId).then((isThere) =>
      isThere ? { ...row, sub_tenant_key: subTenantId } : NO_TENANT,
    );
  };
}

interface SuppressionPlan {
  changes: Change[];
  /** IDs of the new rows. */
  ids: Set<string>;
  /** The new rows by sub-tenant and key of the address. */
  rows: ReadonlyMap<string, ReadonlyMap<string, WantedSuppression>>;
}

/** Plans the entries that do not exist yet, each once. */
export async function planSuppressions(
  store: Pick<ImportWork['store'], 'suppressions'>,
  environmentId: number,
  batch: readonly WantedSuppression[],
  now: number,
): Promise<SuppressionPlan> {
  const byTenant = new Map<string, Map<string, WantedSuppression>>();
  for (const wanted of batch) {
    const rows = byTenant.get(wanted.sub_tenant_key) ?? new Map<string, WantedSuppression>();
    byTenant.set(wanted.sub_tenant_key, rows);
    if (!rows.has(wanted.email_key)) rows.set(wanted.email_key, wanted);
  }
  const ids = new Set<string>();
  const changes: Change[] = [];
  for (const [tenantKey, rows] of byTenant) {
    for (const known of await readRows(store, { environmentId, tenantKey }, rows.keys())) {
      rows.delete(known.email_key);
    }
    for (const wanted of rows.values()) {
      const id = newId('sup', now);
      ids.add(id);
      const row = {
        id,
        environment_id: environmentId,
        ...wanted,
        message_public_id: null,
        reply: null,
        created_at: now,
      };
      changes.push(suppress({ row, conflict: 'ignore', isBulk: true }));
    }
  }
  return { changes, ids, rows: byTenant };
}

/** Adds a batch and returns the number of new entries; the others existed, or are in the batch twice. */
async function addBatch(
  { store, clock }: ImportWork,
  { environmentId }: Scope,
  batch: readonly WantedSuppression[],
): Promise<number> {
  const { changes, ids, rows } = await planSuppressions(store, environmentId, batch, clock());
  if (changes.length === 0) return 0;
  await store.commit(changes);
  // Another request may have added some of them in the meantime.
  let created = 0;
  for (const [tenantKey, added] of rows) {
    const kept = await readRows(store, { environmentId, tenantKey }, added.keys());
    created += kept.filter((row) => ids.has(row.id)).length;
  }
  return created;
}

function readRows(
  { suppressions }: Pick<ImportWork['store'], 'suppressions'>,
  { environmentId, tenantKey }: { environmentId: number; tenantKey: string },
  keys: Iterable<string>,
): Promise<Suppression[]> {
  const subTenantId = tenantKey === '' ? null : tenantKey;
  return suppressions.suppressionsOfExactly({ environmentId, subTenantId }, [...keys]);
}
