// Which verified domain of a sender the From of a message is in. Read for every delivery, so by hand.
import { domainOf } from '../mail/address.js';
import type { Selectable } from 'kysely';
import type { Engine } from './engine/engine.js';
import { inList } from './in-list.js';
import type { SenderTable } from './tables/accounts.js';

/** A domain's names that lead to us, where they do. */
export type DomainSender = Pick<
  Selectable<SenderTable>,
  'identity' | 'return_path_ok' | 'inbound_ok' | 'tracking_ok'
>;

/** A message whose sender is looked for. */
export interface SentFrom {
  workspaceId: string;
  subTenantId: string | null;
  fromEmail: string;
}

/** Domains above that of the From are asked for too, so many at most. */
const MAX_PARENTS = 6;
const SELECT = `SELECT workspace_id, sub_tenant_id, identity, return_path_ok, inbound_ok, tracking_ok FROM senders
  WHERE kind = 'domain' AND status = 'verified' AND deleted_at IS NULL AND identity IN (`;

/** One answer for each message, the nearest domain; null where there is none in its scope. */
export async function readDomainSenders(
  engine: Engine,
  messages: readonly SentFrom[],
): Promise<(DomainSender | null)[]> {
  const domains = messages.map(({ fromEmail }) => domainsAbove(domainOf(fromEmail)));
  const asked = [...new Set(domains.flat())];
  if (asked.length === 0) return messages.map(() => null);
  const { marks, values } = inList(asked);
  const rows = (await engine.rows(`${SELECT}${marks})`, values)) as unknown as (DomainSender & {
    workspace_id: string;
    sub_tenant_id: string | null;
  })[];
  return messages.map(({ workspaceId, subTenantId }, i) => {
    const inScope = rows.filter(
      (row) => row.workspace_id === workspaceId && row.sub_tenant_id === subTenantId,
    );
    const nearest = domains[i]?.find((domain) => inScope.some(({ identity }) => identity === domain));
    return inScope.find(({ identity }) => identity === nearest) ?? null;
  });
}

/** The domain itself first; never a single label. */
function domainsAbove(domain: string): string[] {
  const labels = domain.split('.');
  return labels
    .slice(0, Math.min(labels.length - 1, MAX_PARENTS))
    .map((_label, from) => labels.slice(from).join('.'));
}
