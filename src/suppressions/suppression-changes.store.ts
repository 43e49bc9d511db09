// The changes of suppressions. Each appends its event, and signals to the nouns above that the address is suppressed or no longer
// is.
import { appendRecordEvent } from '../events/record-events.store.js';
import { defineChange } from '../database/change.js';
import type { Writing } from '../database/committer.js';
import { refuse, type Otherwise } from '../database/refuse.js';
import {
  insertOne,
  type NewRow,
  removeRows,
  type RowChange,
  updateRows,
  type Where,
} from '../database/rows.js';
import { defineSignal } from '../database/signals.js';
import { type Suppression, suppressions } from './suppressions.tables.js';

type Suppressions = typeof suppressions;

export interface SuppressionChange {
  environmentId: number;
  /** '' for none. */
  subTenantKey: string;
  emailKey: string;
  /** Epoch ms. */
  at: number;
  /** One of many suppressions of an import or bulk action, which has no event of its own. */
  isBulk: boolean;
}

/** The address was suppressed, or no longer is. Follows every change of a suppression in the same transaction. */
export const suppressionChanged = defineSignal<SuppressionChange>('suppression changed');

const KEY = ['id', 'environment_id', 'sub_tenant_key', 'email_key'] as const;

interface Suppress {
  row: NewRow<Suppressions>;
  /** The refusal if the address is already suppressed; `ignore` keeps that suppression. */
  conflict?: Otherwise | 'ignore';
  isBulk?: true;
}

export const suppress = defineChange<Suppress>(
  'suppress',
  async (writing, { row, conflict, isBulk }) => {
    const isNew = await insertOne(writing, suppressions, {
      row,
      ...(conflict === undefined ? {} : { conflict }),
    });
    if (isNew && !isBulk) await appendCreated(writing, row);
    await tell(writing, row, { at: row.created_at, isBulk: isBulk === true });
  },
  { madeId: ({ row }) => row.id },
);

interface ChangeSuppressions {
  set: RowChange<Suppressions>;
  where: Where<Suppressions>;
  /** Epoch ms. */
  at: number;
  /** No suppression matched. */
  otherwise?: Otherwise;
}

export const changeSuppressions = defineChange<ChangeSuppressions>(
  'change-suppressions',
  async (writing, { set, where, at, otherwise }) => {
    const rows = await updateRows(writing, suppressions, { set, where }, KEY);
    if (rows.length === 0 && otherwise) refuse(otherwise);
    for (const row of rows) await tell(writing, row, { at, isBulk: false });
  },
);

export const liftSuppressions = defineChange<Omit<ChangeSuppressions, 'set'>>(
  'lift-suppressions',
  async (writing, { where, at, otherwise }) => {
    const rows = await removeRows(writing, suppressions, where, KEY);
    if (rows.length === 0 && otherwise) refuse(otherwise);
    await appendDeletedSuppressions(writing, rows, at);
    for (const row of rows) await tell(writing, row, { at, isBulk: false });
  },
);

function tell(
  writing: Writing,
  row: Pick<Suppression, 'environment_id' | 'sub_tenant_key' | 'email_key'>,
  when: { at: number; isBulk: boolean },
): Promise<void> {
  const { environment_id: environmentId, sub_tenant_key: subTenantKey, email_key: emailKey } = row;
  return writing.emit(suppressionChanged, { environmentId, subTenantKey, emailKey, ...when });
}

async function appendCreated(writing: Writing, row: NewRow<Suppressions>): Promise<void> {
  const { id, environment_id: environmentId, sub_tenant_key: tenantKey, reason, created_at: at } = row;
  await appendRecordEvent(writing, {
    of: { environmentId },
    subTenantId: tenantKey === '' ? null : tenantKey,
    subjectId: id,
    event: 'suppression.created',
    usually: reason === 'manual' ? 'system' : reason === 'bounce' ? 'provider' : 'recipient',
    at,
    metadata: { reason },
  });
}

/** Appends the events of deleted suppressions. `rows` has their id, environment_id and sub_tenant_key. */
export async function appendDeletedSuppressions(
  writing: Writing,
  rows: readonly Pick<Suppression, 'id' | 'environment_id' | 'sub_tenant_key'>[],
  at: number,
): Promise<void> {
  for (const { id: subjectId, environment_id: environmentId, sub_tenant_key: tenantKey } of rows) {
    await appendRecordEvent(writing, {
      of: { environmentId },
      subTenantId: tenantKey === '' ? null : tenantKey,
      subjectId,
      event: 'suppression.deleted',
      usually: 'recipient',
      at,
    });
  }
}
