// Wires accounts: plans and their usage, the uses of API keys, people, their sign-in and their organization.
import type { Routes } from '../http/api.js';
import type { Job } from '../lib/concurrency/index.js';
import { writeKeyUses } from './api-keys/key-uses.js';
import type { AccountContext } from './context.js';
import { meRoutes } from './me.routes.js';
import type { DnsResolver } from '../lib/dns/index.js';
import { authorizePageRoutes } from './oauth/authorize.pages.js';
import { createOauth } from './oauth/oauth.js';
import { oauthRoutes } from './oauth/oauth.routes.js';
import { Account } from './people/account.js';
import { authAccountRoutes } from './people/auth-account.routes.js';
import { Invitations } from './people/invitations.js';
import { invitationRoutes } from './people/invitations.routes.js';
import { Members } from './people/members.js';
import { memberRoutes } from './people/members.routes.js';
import { PasswordResets } from './people/password-reset.js';
import { Passwords } from './people/passwords.js';
import { peoplePageRoutes } from './people/people.pages.js';
import { SetupOwner } from './people/setup-owner.js';
import { setupRoutes } from './people/setup.pages.js';
import { authDeviceRoutes } from './sign-in/auth-device.routes.js';
import { authRoutes } from './sign-in/auth.routes.js';
import { DeviceSignIns } from './sign-in/device-sign-in.js';
import { devicePageRoutes } from './sign-in/device.pages.js';
import { Sessions } from './sign-in/sessions.js';
import { usageRoutes } from './usage.routes.js';

/** Throws if an organization is on a plan that config/plans.json lacks, because its mail could not be sent or counted. */
export async function createAccounts(
  given: Omit<AccountContext, 'passwords'> & {
    resolver: DnsResolver;
    /** URL of the MCP server, which connected applications use; null if it is disabled. */
    mcpUrl: string | null;
  },
) {
  const context = { ...given, passwords: new Passwords() };
  await assertPlansKnown(context);
  const sessions = new Sessions(context);
  const account = new Account(context);
  const resets = new PasswordResets(context);
  const owner = new SetupOwner(context);
  const oauth = given.mcpUrl === null ? null : createOauth({ ...context, resource: given.mcpUrl });
  const routes: Routes[] = [
    (api) => usageRoutes(api, context),
    (api) => authRoutes(api, context, { sessions, account }),
    (api) => authAccountRoutes(api, context, { account, resets }),
    (api) => authDeviceRoutes(api, context, new DeviceSignIns(context)),
    (api) => memberRoutes(api, context, new Members(context)),
    (api) => invitationRoutes(api, context, new Invitations(context)),
    (api) => peoplePageRoutes(api),
    (api) => devicePageRoutes(api),
    (api) => meRoutes(api, context, account),
    (api) => setupRoutes(api, context, owner),
  ];
  const jobs: Job[] = [
    { name: 'uses of keys', at: 'minute', run: () => writeKeyUses(context), isOfEachNode: true },
  ];
  if (oauth !== null) {
    routes.push((api) => oauthRoutes(api, oauth), authorizePageRoutes);
    jobs.push({ name: 'unused connections', at: 'hour', run: () => oauth.grants.endUnused() });
  }
  return {
    routes,
    jobs,
    /** Whether the organization has no owner's account yet. */
    isSetupNeeded: () => owner.isNeeded(),
    /** Resolves when no mail about an account is being prepared. */
    settled: () => resets.settled(),
  };
}

async function assertPlansKnown({ store, plans }: Pick<AccountContext, 'store' | 'plans'>): Promise<void> {
  const unknown = (await store.accounts.plansInUse()).find(({ plan }) => !plans.has(plan));
  if (!unknown) return;
  const { plan, organizationId } = unknown;
  throw new Error(
    `Organization ${organizationId} is on plan "${plan}", which is not defined in config/plans.json.`,
  );
}
