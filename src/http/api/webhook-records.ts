// What full webhook payloads carry: messages and sub-tenants as their GET operations show them.
import type { Store } from '../../store/store.js';
import { environmentMode } from '../../work/accounts/workspace-plan.js';
import type { RecordsOf } from '../../work/webhooks/delivery-content.js';
import { presentMessage } from './present/message.js';
import { presentReceivedMessage } from './present/received.js';
import { presentSubTenant, type SubTenantSettings } from './present/sub-tenant.js';

/** JSON characters of what a received message says; a longer one is read with its GET. */
const MOST_RECEIVED = 256 * 1024;

export interface WebhookRecordDeps {
  store: Pick<Store, 'messages' | 'threads' | 'tenants'>;
  settings: SubTenantSettings;
}

export function createWebhookRecords({ store, settings }: WebhookRecordDeps): RecordsOf {
  async function messages(environmentId: number, ids: readonly string[]): Promise<[string, object][]> {
    const rows = await store.messages.messagesByPublicId(environmentId, ids);
    const attachments = await store.messages.attachmentsOf([...new Set(rows.map((row) => row.content_id))]);
    const inbound = rows.filter(({ status }) => status === 'received').map(({ id }) => id);
    const received = await store.threads.receivedInFull(inbound);
    const mode = environmentMode(environmentId);
    return rows.map((message) => {
      const own = attachments.filter(({ contentId }) => contentId === message.content_id);
      const full = received.get(message.id);
      const short = presentMessage(message, own, mode);
      if (!full) return [message.public_id, short];
      const shown = presentReceivedMessage({ message, received: full, attachments: own }, mode);
      return [message.public_id, JSON.stringify(shown).length > MOST_RECEIVED ? short : shown];
    });
  }

  async function subTenants(environmentId: number, ids: readonly string[]): Promise<[string, object][]> {
    const rows = await store.tenants.subTenantsById(environmentId, ids);
    const keys = await store.tenants.dkimKeys(ids);
    return rows.map((row) => [
      row.id,
      presentSubTenant(
        row,
        keys.filter(({ owner_id }) => owner_id === row.id),
        settings,
      ),
    ]);
  }

  return async (environmentId, publicIds) => {
    const tenantIds = publicIds.filter((id) => id.startsWith('tnt_'));
    const messageIds = publicIds.filter((id) => id.startsWith('msg_'));
    return new Map([
      ...(messageIds.length > 0 ? await messages(environmentId, messageIds) : []),
      ...(tenantIds.length > 0 ? await subTenants(environmentId, tenantIds) : []),
    ]);
  };
}
