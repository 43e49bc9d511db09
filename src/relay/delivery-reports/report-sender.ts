// In whose name a delivery report is sent: the domain of the message's sender, where we can sign for it, else ours.
import { domainOf, type Mailbox } from '../../lib/mime/address.js';
import type { Deliverable } from '../../outbound/deliver/deliverables.store.js';
import type { Mode } from '../../contract/names.js';
import type { Store } from '../../store/store.js';
import { PLATFORM_OWNER } from '../../tenants/tenants.store.js';

export interface ReportSenderDeps {
  store: Pick<Store, 'tenants'>;
  settings: { platformDomain: string | null };
}

/** Null when there is no domain whose key is active: unsigned, a report would never leave. */
export async function reportSender(
  deps: ReportSenderDeps,
  deliverable: Deliverable,
  mode: Mode,
): Promise<Mailbox | null> {
  const domain = mode === 'test' ? ownDomain(deliverable) : await signedDomain(deps, deliverable);
  return domain === null ? null : { email: `mailer-daemon@${domain}`, name: 'Mail Delivery System' };
}

/** The sandbox takes any sender and signs nothing. */
function ownDomain({ message, tenant }: Deliverable): string {
  return tenant?.sending_domain ?? domainOf(message.from_email);
}

async function signedDomain(
  { store, settings: { platformDomain } }: ReportSenderDeps,
  { message, tenant, workspaceId }: Deliverable,
): Promise<string | null> {
  const { sub_tenant_id: subTenantId } = message;
  const fromDomain = domainOf(message.from_email);
  const senders = await store.tenants.verifiedSenders({ workspaceId, subTenantId });
  const domains = senders.filter(
    ({ kind, identity }) =>
      kind === 'domain' && (fromDomain === identity || fromDomain.endsWith(`.${identity}`)),
  );
  // The nearest domain first, as when messages are signed.
  domains.sort((a, b) => b.identity.length - a.identity.length);
  const candidates = [
    ...(tenant && subTenantId !== null ? [{ owner: subTenantId, domain: tenant.sending_domain }] : []),
    ...domains.map(({ id, identity }) => ({ owner: id, domain: identity })),
    ...(platformDomain === null ? [] : [{ owner: PLATFORM_OWNER, domain: platformDomain }]),
  ];
  const keys = await store.tenants.dkimKeys(candidates.map(({ owner }) => owner));
  const signed = candidates.find(({ owner, domain }) =>
    keys.some((key) => key.owner_id === owner && key.domain === domain && key.state === 'active'),
  );
  return signed?.domain ?? null;
}
