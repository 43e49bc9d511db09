// Sender or verified domain that vouches for the From of a message now. Read for every delivery, so the statement is written by
// hand.
import { addressKey, addressDomain } from '../../lib/mime/index.js';
import type { Selectable } from 'kysely';
import type { Engine } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';
import { domainsAbove } from '../own-names.rules.js';
import type { SenderTable } from '../domains.tables.js';

/** A domain's names that lead to us, where they do. */
export type DomainSender = Pick<
  Selectable<SenderTable>,
  'identity' | 'return_path_ok' | 'inbound_ok' | 'tracking_ok'
>;

/** A message whose sender is looked for. */
interface SentFrom {
  workspaceId: string;
  subTenantId: string | null;
  fromEmail: string;
}

/**
 * `verified`: it may be sent from; `removed`: no sender in its scope is, or covers, the address. Otherwise the status of the one that
 * does, and its identity.
 */
export interface Vouching {
  status: 'verified' | 'suspended' | 'unverified' | 'removed';
  identity: string;
  /** The nearest verified domain; null: none. */
  domain: DomainSender | null;
}

const SELECT = `SELECT workspace_id, sub_tenant_id, kind, identity, status, return_path_ok, inbound_ok, tracking_ok FROM senders
  WHERE deleted_at IS NULL AND identity IN (`;

type Row = DomainSender &
  Pick<Selectable<SenderTable>, 'workspace_id' | 'sub_tenant_id' | 'kind' | 'identity' | 'status'>;

/** One answer for each message. */
export async function readVouching(engine: Engine, messages: readonly SentFrom[]): Promise<Vouching[]> {
  const candidates = messages.map(({ fromEmail }) => [
    addressKey(fromEmail),
    ...domainsAbove(addressDomain(fromEmail)),
  ]);
  const asked = [...new Set(candidates.flat())];
  if (asked.length === 0) return [];
  const { marks, values } = inList(asked);
  const rows = await rowsAs<Row>(engine.rows(`${SELECT}${marks})`, values));
  return messages.map(({ workspaceId, subTenantId, fromEmail }, i) => {
    const identities = candidates[i] ?? [];
    const inScope = rows
      .filter((row) => row.workspace_id === workspaceId && row.sub_tenant_id === subTenantId)
      .filter(({ identity }) => identities.includes(identity))
      .sort((a, b) => identities.indexOf(a.identity) - identities.indexOf(b.identity));
    const verified = inScope.filter(({ status }) => status === 'verified');
    const best = verified[0] ?? inScope.find(({ status }) => status === 'suspended') ?? inScope[0];
    return {
      status: statusOf(best),
      identity: best?.identity ?? fromEmail,
      domain: verified.find(({ kind }) => kind === 'domain') ?? null,
    };
  });
}

function statusOf(row: Row | undefined): Vouching['status'] {
  if (!row) return 'removed';
  return row.status === 'verified' || row.status === 'suspended' ? row.status : 'unverified';
}
