// A sender as /v1 shows it.
import { wireOf } from '../../contract/codec.js';
import { isoOrNull } from '../../contract/time.js';
import { addressDomain } from '../../lib/mime/index.js';
import {
  domainFacts,
  presentDnsRecord,
  presentDrift,
  recordsWithResults,
  type DomainFacts,
} from '../sub-tenants/sub-tenant.view.js';
import { ownerOfSender, type DomainSettings } from '../domain-records.js';
import {
  sender,
  senderAuthentication,
  type SenderAuthenticationWire,
  type SenderWire,
} from './sender.schema.js';
import type { DkimKey, Sender } from '../domains.tables.js';

export function presentSender(row: Sender, keys: readonly DkimKey[], settings: DomainSettings): SenderWire {
  return presentRow(row, senderFacts(row, keys, settings));
}

export function presentSenderAuthentication(
  row: Sender,
  keys: readonly DkimKey[],
  settings: DomainSettings,
): SenderAuthenticationWire {
  return presentAuthentication(row, senderFacts(row, keys, settings));
}

/** Addresses have neither keys nor records. */
function senderFacts(row: Sender, keys: readonly DkimKey[], settings: DomainSettings): DomainFacts {
  if (row.kind === 'address') return { keys: [], records: [], zone: null };
  return { keys, records: recordsWithResults(ownerOfSender(row), row, keys, settings), zone: null };
}

const isDomain = (row: Sender): boolean => row.kind === 'domain';
const domain = (row: Sender): string => (isDomain(row) ? row.identity : addressDomain(row.identity));
const dns = (row: Sender, { keys, records }: DomainFacts) =>
  isDomain(row) ? presentDrift(row, keys, records) : null;

const presentRow = wireOf(sender).from<Sender, DomainFacts>({
  email: (row) => (isDomain(row) ? null : row.identity),
  domain,
  dns,
  dns_records: (_row, { records }) => records.map(presentDnsRecord),
  confirmation_expires_at: (row) =>
    row.confirmation_hash === null ? null : isoOrNull(row.confirmation_expires_at),
});

const presentAuthentication = wireOf(senderAuthentication).from<Sender, DomainFacts>({
  sender_id: 'id',
  domain,
  dns,
  ...domainFacts,
});
