// The domain that the appliance's own mail comes from: ours, and with a signature that receivers can check.
import { Refusal } from '../../contract/refusal.js';
import type { Store } from '../../store/store.js';
import { PLATFORM_OWNER } from '../../store/tenants.js';

export interface OwnMailDeps {
  store: Pick<Store, 'tenants'>;
  /** POSTHORN_PLATFORM_DOMAIN; null when the appliance has none. */
  platformDomain: string | null;
}

/** Refuses `conflict` with what to do, while there is none. `what` is the mail in question. */
export async function domainOfOwnMail(
  { store, platformDomain }: OwnMailDeps,
  what: string,
  instead = '',
): Promise<string> {
  const end = instead === '' ? '.' : `, ${instead}`;
  if (platformDomain === null) {
    const message = `This appliance has no domain to send ${what} from: set POSTHORN_PLATFORM_DOMAIN${end}`;
    throw new Refusal('conflict', message);
  }
  const keys = await store.tenants.dkimKeys([PLATFORM_OWNER]);
  if (!keys.some((key) => key.domain === platformDomain && key.state === 'active')) {
    const message = `The DKIM record of ${platformDomain} is not in DNS yet, so ${what} cannot be signed: publish it${end}`;
    throw new Refusal('conflict', message);
  }
  return platformDomain;
}
