// Finds the sender or verified domain that authorizes the From address of a message. It runs for every delivery, so the statement
// is written by hand.
import { addressKey, addressDomain } from '../../lib/mime/index.js';
import type { Selectable } from 'kysely';
import type { Engine } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';
import { domainsAbove } from '../effective-names.rules.js';
import type { SenderTable } from '../domains.tables.js';

/** Names of a domain that point to Mailkeel. */
export type DomainSender = Pick<
  Selectable<SenderTable>,
  'identity' | 'return_path_ok' | 'inbound_ok' | 'tracking_ok'
>;

/** A message whose sender is looked up. */
interface SentFrom {
  workspaceId: string;
  subTenantId: string | null;
  fromEmail: string;
}

/**
 * `verified` if the address may be used, `removed` if no sender in its scope matches the address. Otherwise the status and
 * identity of the matching sender.
 */
export interface SenderAuthorization {
  status: 'verified' | 'suspended' | 'unverified' | 'removed';
  identity: string;
  /** The closest verified domain, or `null`. */
  domain: DomainSender | null;
}

const SELECT = `SELECT workspace_id, sub_tenant_id, kind, identity, status, return_path_ok, inbound_ok, tracking_ok FROM senders
  WHERE deleted_at IS NULL AND identity IN (`;

type Row = DomainSender &
  Pick<Selectable<SenderTable>, 'workspace_id' | 'sub_tenant_id' | 'kind' | 'identity' | 'status'>;

/** Returns one result for each message. */
export async function readSenderAuthorizations(
  engine: Engine,
  messages: readonly SentFrom[],
): Promise<SenderAuthorization[]> {
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

function statusOf(row: Row | undefined): SenderAuthorization['status'] {
  if (!row) return 'removed';
  return row.status === 'verified' || row.status === 'suspended' ? row.status : 'unverified';
}
