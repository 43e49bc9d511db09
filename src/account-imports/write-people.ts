// Writes suppressions and contacts with the plans of imports from files.
import { changedMemberships } from './memberships.js';
import { leftOut, type ContactItem, type LeftOut, type SuppressionItem } from './items.rules.js';
import type { WriteTerms, Written } from './write.js';
import { readContactObject } from '../imports/contact-row.js';
import { planContacts, type ReadContact } from '../imports/import-batch.js';
import { createEntryReader, planSuppressions, type WantedSuppression } from '../suppressions/import.js';

/** Fields of the vendors have Mailkeel's names. */
const NO_MAPPING = {};

export async function writeSuppressions(
  { store, scope, now, isDryRun }: WriteTerms,
  items: readonly SuppressionItem[],
): Promise<Written> {
  const read = createEntryReader(store, scope);
  const wanted: WantedSuppression[] = [];
  const missing: LeftOut[] = [];
  for (const item of items) {
    const { name: email, reason } = item;
    const one = await read({ line: 0, email, reason, subTenantId: '' });
    if (typeof one === 'string') missing.push(leftOut(item, one));
    else wanted.push(one);
  }
  const { changes, ids } = await planSuppressions(store, scope.environmentId, wanted, now);
  return {
    created: ids.size,
    updated: 0,
    unchanged: wanted.length - ids.size,
    leftOut: missing,
    ...{ notes: [], announce: [] },
    changes: isDryRun ? [] : changes,
  };
}

interface Row extends ReadContact {
  item: ContactItem;
}

export async function writeContacts(terms: WriteTerms, items: readonly ContactItem[]): Promise<Written> {
  const { store, scope, now, isDryRun, consent } = terms;
  const rows = items.filter((item) => item.isMembership !== true).map(rowOf);
  const options = { mode: 'upsert', tags: [], dryRun: isDryRun, list: null, consent } as const;
  const plan = await planContacts(store, rows, { scope, options, now });
  const memberships = isDryRun ? [] : await changedMemberships(terms, items, plan.ids);
  return {
    created: plan.created,
    updated: plan.updated,
    unchanged: rows.length - plan.created - plan.updated - plan.failed,
    leftOut: rows.flatMap(({ item, wanted }) => ('problem' in wanted ? [leftOut(item, wanted.problem)] : [])),
    ...{ notes: [], announce: [] },
    changes: [...plan.plan, ...memberships],
  };
}

function rowOf(item: ContactItem): Row {
  const { name: email, fullName: name, phone = '', tags, metadata, status } = item;
  return { item, wanted: readContactObject({ email, name, phone, tags, metadata, status }, NO_MAPPING) };
}
