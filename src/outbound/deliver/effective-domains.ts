// The names that a message goes by: where its bounces and replies come in, and its links lead.
import { defaultNames, ownNamesOf, type OwnNames } from '../../domains/own-names.rules.js';
import type { Deliverable } from './deliverables.store.js';

/** Null: the name of the service, since no other leads to us. */
export type NamesInForce = { [K in keyof OwnNames]: OwnNames[K] | null };

/** Those of the From's own domain first, so that SPF aligns (RFC 7489 section 3.1.2); then the sub-tenant's. */
export function namesInForce({ sender, tenant }: Pick<Deliverable, 'sender' | 'tenant'>): NamesInForce {
  const domains = [
    ...(sender ? [{ names: defaultNames(sender.identity), row: sender }] : []),
    ...(tenant ? [{ names: ownNamesOf(tenant), row: tenant }] : []),
  ];
  return {
    returnPath: domains.find(({ row }) => row.return_path_ok === 1)?.names.returnPath ?? null,
    inbound: domains.find(({ row }) => row.inbound_ok === 1)?.names.inbound ?? null,
    tracking: domains.find(({ row }) => row.tracking_ok === 1)?.names.tracking ?? null,
  };
}
