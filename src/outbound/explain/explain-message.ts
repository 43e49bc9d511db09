// Gathers the facts about one message from which its explanation is built.
import type { ErrorDetail, MessageTrailEvent } from '../../contract/names.js';
import type { Scope } from '../../database/scope.js';
import { readDetail } from '../../events/events.store.js';
import { addressKey, addressDomain } from '../../lib/mime/index.js';
import type { Message } from '../../messages/messages.store.js';
import { blocks } from '../../suppressions/suppression.rules.js';
import type { OutboundApiContext } from '../context.js';
import type { OutboundStores } from '../stores.js';
import type { QueueEntry } from '../schedule/queue-view.store.js';
import type { Asker, ExplainFacts } from './explain-facts.rules.js';
import { explain, type Explanation } from './explain.rules.js';

type ExplainContext = Pick<OutboundApiContext, 'store' | 'traffic' | 'clock'>;

/** `scope` is the asker's; `by` decides which calls the advice may contain. */
export async function explainMessage(
  context: ExplainContext,
  scope: Scope,
  message: Message,
  by: Pick<Asker, 'reach' | 'permission'> = { reach: 'workspace', permission: 'full' },
): Promise<Explanation> {
  return explain(await readFacts(context, scope, message, by));
}

async function readFacts(
  { store, traffic, clock }: ExplainContext,
  scope: Scope,
  found: Message,
  by: Pick<Asker, 'reach' | 'permission'>,
): Promise<ExplainFacts> {
  const subTenantId = found.sub_tenant_id;
  const own = { ...scope, subTenantId };
  const domain = addressDomain(found.to_email);
  const entry = await store.queueView.entry(found);
  const approval = entry === null ? await store.approvals.pendingOf(found) : null;
  const trail = await store.events.auditTrailOfMessage(found.id);
  const tenant = subTenantId === null ? null : await store.tenants.subTenant(scope, subTenantId);
  return {
    now: clock(),
    asker: { subTenantId: scope.subTenantId, ...by },
    message: {
      publicId: found.public_id,
      status: found.status,
      email: found.to_email,
      domain,
      isSandbox: scope.mode === 'test',
      subTenantId,
      senderId: subTenantId === null ? await readSenderId(store, own, found) : null,
      campaignId: found.campaign_id,
      scheduledAt: found.scheduled_at,
      createdAt: found.created_at,
      updatedAt: found.updated_at,
      provider: found.provider,
      error: found.error === null ? null : (JSON.parse(found.error) as ErrorDetail),
    },
    trail: trail.map((row) => ({
      event: row.event as MessageTrailEvent, // a message's entries carry no tenant events
      at: row.occurred_at,
      metadata: readDetail(row).metadata ?? {},
    })),
    attempts: (await store.attempts.attemptsOf(found)).attempts,
    queue: entry,
    approval: approval && { expiresAt: approval.expires_at },
    suppressions: await readSuppressions(store, own, found),
    tenantStatus: tenant?.status ?? null,
    pause: await readPause(store, own, entry),
    limitReason:
      entry && entry.leaseUntil === null ? traffic.reasonFor({ ...entry, mode: scope.mode }) : null,
  };
}

/** The verified identity of the From address: its domain's, or else the address's own. */
async function readSenderId(
  store: OutboundStores,
  own: Scope,
  { from_email: from }: Message,
): Promise<string | null> {
  const verified = await store.domains.verifiedSenders(own);
  const byName = (name: string): string | undefined => verified.find(({ identity }) => identity === name)?.id;
  return byName(addressDomain(from)) ?? byName(addressKey(from)) ?? null;
}

async function readSuppressions(
  store: OutboundStores,
  own: Scope,
  found: Message,
): Promise<ExplainFacts['suppressions']> {
  const rows = await store.suppressions.suppressionsOf(own, [found.to_key]);
  if (rows.length === 0) return [];
  const { unsubscribe_blocks: unsubscribeBlocks } = await store.accounts.organization(own);
  const question = {
    type: found.type,
    subTenantId: own.subTenantId,
    unsubscribeBlocks,
    isAskedFor: found.asked_for === 1,
  };
  return rows
    .filter((row) => blocks(row, question))
    .map(({ id, sub_tenant_key: key, reason, created_at: createdAt }) => ({
      id,
      reason,
      createdAt,
      subTenantId: key === '' ? null : key,
    }));
}

async function readPause(
  { queueView }: OutboundStores,
  own: Scope,
  entry: QueueEntry | null,
): Promise<ExplainFacts['pause']> {
  if (!entry) return null;
  const pauses = await queueView.pauses(own, entry.domain);
  const found = pauses.find((pause) => ['', own.subTenantId ?? ''].includes(pause.sub_tenant_key));
  if (!found) return null;
  const { reason, created_at: createdAt, sub_tenant_key: key } = found;
  return { subTenantId: key === '' ? null : key, reason, createdAt };
}
