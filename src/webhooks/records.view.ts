// Records in full webhook payloads, as their GET operations show them.
import type { ReadRecords, WebhookContext } from './context.js';
import { environmentMode } from '../accounts/workspace-plan.js';
import { presentDraftFacts } from '../messages/drafts/draft.view.js';
import { presentApproval } from '../messages/approvals/approval.view.js';
import { presentBulkAction } from '../imports/bulk-action.view.js';
import { presentContact } from '../contacts/contact.view.js';
import { presentMessage } from '../messages/message.view.js';
import { presentReceivedMessage } from '../messages/received.view.js';
import { presentSender } from '../domains/senders/sender.view.js';
import { type SubTenantSettings, showSubTenants } from '../domains/sub-tenants/sub-tenant.view.js';
import { presentSuppression } from '../suppressions/suppression.view.js';
import { presentExport, presentImport } from '../imports/transfer.view.js';
import { createCampaignView } from '../campaigns/campaign.view.js';

/** Most characters of a received message as JSON. The text of a longer one is left out. */
const MOST_RECEIVED = 256 * 1024;

/** `settings` are for the view of sub-tenants and senders. */
export function createRecordReader(
  { store }: Pick<WebhookContext, 'store'>,
  settings: SubTenantSettings,
): ReadRecords {
  const showCampaign = createCampaignView(store);

  async function messages(environmentId: number, ids: readonly string[]): Promise<[string, object][]> {
    const rows = await store.messages.messagesByPublicId(environmentId, ids);
    const contentOf = await store.messages.shownContents(rows);
    const inbound = rows.filter(({ status }) => status === 'received').map(({ id }) => id);
    const received = await store.threads.receivedInFull(inbound);
    const mode = environmentMode(environmentId);
    return rows.map((message) => {
      const content = contentOf(message);
      const full = received.get(message.id);
      const short = presentMessage(message, content, mode);
      if (!full) return [message.public_id, short];
      const inFull = presentReceivedMessage({ message, received: full, shown: content }, mode);
      return [message.public_id, JSON.stringify(inFull).length > MOST_RECEIVED ? short : inFull];
    });
  }

  async function subTenants(environmentId: number, ids: readonly string[]): Promise<[string, object][]> {
    const rows = await store.tenants.subTenantsById(environmentId, ids);
    return (await showSubTenants({ store, settings }, rows)).map((tenant) => [tenant.id, tenant]);
  }

  async function senders(environmentId: number, ids: readonly string[]): Promise<[string, object][]> {
    const rows = await store.records.senders(environmentId, ids);
    const keys = await store.domains.dkimKeys(ids);
    return rows.map((row) => {
      const own = keys.filter(({ owner_id }) => owner_id === row.id);
      return [row.id, presentSender(row, own, settings)];
    });
  }

  async function campaigns(environmentId: number, ids: readonly string[]): Promise<[string, object][]> {
    const rows = await store.records.campaigns(environmentId, ids);
    const mode = environmentMode(environmentId);
    return Promise.all(rows.map(async (row) => [row.id, await showCampaign({ mode }, row)]));
  }

  /** By the prefix of their ids. */
  const readers: Record<
    string,
    (environmentId: number, ids: readonly string[]) => Promise<[string, object][]>
  > = {
    msg: messages,
    tnt: subTenants,
    snd: senders,
    cmp: campaigns,
    apr: async (...of) => byId(await store.approvals.approvalsById(...of), presentApproval),
    drf: async (...of) => byId(await store.drafts.factsById(...of), presentDraftFacts),
    cnt: async (...of) => byId(await store.records.contacts(...of), presentContact),
    sup: async (...of) => byId(await store.records.suppressions(...of), presentSuppression),
    imp: async (...of) => byId(await store.records.transfers(...of), presentImport),
    blk: async (...of) => byId(await store.records.transfers(...of), presentBulkAction),
    exp: async (...of) => byId(await store.records.transfers(...of), presentExport),
  };

  return async (environmentId, publicIds) => {
    const found: [string, object][] = [];
    for (const [prefix, read] of Object.entries(readers)) {
      const ids = publicIds.filter((id) => id.startsWith(`${prefix}_`));
      if (ids.length > 0) found.push(...(await read(environmentId, ids)));
    }
    return new Map(found);
  };
}

function byId<Row extends { id: string }>(
  rows: readonly Row[],
  present: (row: Row) => object,
): [string, object][] {
  return rows.map((row) => [row.id, present(row)]);
}
