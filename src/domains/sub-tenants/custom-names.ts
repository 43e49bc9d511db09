// Validates the host names that a sub-tenant chooses for bounces, replies and links.
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { addressDomain, domainProblem } from '../../lib/mime/index.js';
import { defaultNames, hasSameOwner, effectiveNames, type CustomNames } from '../effective-names.rules.js';
import { labelsBelow } from '../../lib/dns-answers/index.js';
import type { DomainContext } from '../context.js';

export const CUSTOM_NAME_FIELDS = ['return_path_domain', 'inbound_domain', 'tracking_domain'] as const;
type CustomNameField = (typeof CUSTOM_NAME_FIELDS)[number];
/** Names in a request. `null` sets the default below the sending domain, and an absent name does not change. */
export type WantedNames = { [F in CustomNameField]?: string | null };
type NameColumns = Pick<CustomNames, CustomNameField>;

const NAMES = {
  return_path_domain: 'returnPath',
  inbound_domain: 'inbound',
  tracking_domain: 'tracking',
} as const satisfies Record<CustomNameField, string>;

type CustomNameContext = Pick<DomainContext, 'store' | 'serverNames' | 'zone'>;

/** A sub-tenant in its current or future state. */
type NamedTenant = CustomNames & {
  id: string;
  workspace_id: string;
  dkim_mode: 'txt' | 'cname' | 'zone';
};

/**
 * Returns the columns after a change. Refuses (422 on the field) a name whose registrable domain differs from the sending
 * domain's, that belongs to Mailkeel, or whose records clash with those of another of its names. Refuses with `domain_taken` a
 * name of another sub-tenant or sender in the workspace, or in another workspace that has proved its domain.
 */
export async function chooseNames(
  context: CustomNameContext,
  tenant: NamedTenant,
  wanted: WantedNames,
): Promise<NameColumns> {
  const given = CUSTOM_NAME_FIELDS.filter((field) => wanted[field] !== undefined);
  const columns = {
    return_path_domain: tenant.return_path_domain,
    inbound_domain: tenant.inbound_domain,
    tracking_domain: tenant.tracking_domain,
  };
  for (const field of given) columns[field] = readName(context, tenant, field, wanted[field] ?? null);
  refuseClash(tenant.sending_domain, columns, given);
  for (const field of given) await refuseTaken(context, tenant, field, columns[field]);
  return columns;
}

/** Returns the columns of changed names, which must be found in DNS before they are used. */
export function changedNames(
  before: CustomNames,
  after: NameColumns,
): Partial<NameColumns & { return_path_ok: 0; inbound_ok: 0; tracking_ok: 0 }> {
  const [was, is] = [effectiveNames(before), effectiveNames({ ...before, ...after })];
  return {
    ...(was.returnPath === is.returnPath
      ? {}
      : { return_path_domain: after.return_path_domain, return_path_ok: 0 }),
    ...(was.inbound === is.inbound ? {} : { inbound_domain: after.inbound_domain, inbound_ok: 0 }),
    ...(was.tracking === is.tracking ? {} : { tracking_domain: after.tracking_domain, tracking_ok: 0 }),
  };
}

/** Returns null for the default name below the sending domain. */
function readName(
  { serverNames, zone }: CustomNameContext,
  { sending_domain: sendingDomain, dkim_mode: mode }: NamedTenant,
  field: CustomNameField,
  input: string | null,
): string | null {
  if (input === null) return null;
  const typed = input.trim().replace(/\.$/, '');
  const problem = domainProblem(typed);
  if (problem !== null) throw invalidFields([{ path: field, message: problem }]);
  const name = addressDomain(`postmaster@${typed}`);
  if (name === defaultNames(sendingDomain)[NAMES[field]]) return null;
  const refuse = (message: string): Refusal => invalidFields([{ path: field, message }]);
  if (mode === 'zone')
    throw refuse(`This server hosts the DNS of ${sendingDomain}, so its names are fixed. Omit them.`);
  if (serverNames.includes(name) || (zone !== null && labelsBelow(name, zone) !== null)) {
    throw refuse(`${name} is reserved for this server.`);
  }
  if (!hasSameOwner(name, sendingDomain)) {
    throw refuse(`${name} and ${sendingDomain} do not share a registered domain, so mail would not align.`);
  }
  return name;
}

/** A CNAME record excludes all other records at its name (RFC 1034 section 3.6.2). One MX record serves bounces and replies. */
function refuseClash(sendingDomain: string, columns: NameColumns, given: readonly CustomNameField[]): void {
  const { returnPath, inbound, tracking } = effectiveNames({ sending_domain: sendingDomain, ...columns });
  if (![sendingDomain, returnPath, inbound].includes(tracking)) return;
  const path = given.includes('tracking_domain') ? 'tracking_domain' : (given[0] ?? 'tracking_domain');
  throw invalidFields([
    { path, message: `${tracking} already has other DNS records. Use a separate name for links.` },
  ]);
}

async function refuseTaken(
  { store }: CustomNameContext,
  tenant: NamedTenant,
  field: CustomNameField,
  name: string | null,
): Promise<void> {
  if (name === null) return;
  const owners = await store.domainChecks.ownersOfName(name);
  const isTaken = owners.some((owner) =>
    owner.workspaceId === tenant.workspace_id
      ? owner.subTenantId !== tenant.id
      : owner.isProved && owner.sendingDomain !== tenant.sending_domain,
  );
  if (isTaken) {
    throw new Refusal('domain_taken', undefined, { param: field });
  }
}

/** Returns the refusal for a name that another sub-tenant took at the same time. */
export function namesTaken(changed: Partial<NameColumns>): { code: 'domain_taken'; param: string } {
  const field = CUSTOM_NAME_FIELDS.find((each) => changed[each] !== undefined);
  return { code: 'domain_taken', param: field ?? 'sending_domain' };
}
