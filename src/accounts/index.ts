// Wires accounts: plans and what is used of them, the uses of API keys; people, their sign-in and their organization.
import type { Routes } from '../http/api.js';
import { authRoutes } from './sign-in/auth.routes.js';
import { authAccountRoutes } from './people/auth-account.routes.js';
import { authDeviceRoutes } from './sign-in/auth-device.routes.js';
import { invitationRoutes } from './people/invitations.routes.js';
import { memberRoutes } from './people/members.routes.js';
import type { PlanLimits } from './quota.rules.js';
import { usageRoutes } from './usage.routes.js';
import { devicePageRoutes } from './sign-in/device.pages.js';
import { peoplePageRoutes } from './people/people.pages.js';
import { meRoutes } from './me.routes.js';
import { setupRoutes } from './people/setup.pages.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Job } from '../lib/runtime/cron.js';
import type { Config } from '../settings/settings.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import type { AccountStores } from './stores.js';
import { planKeyIn } from './api-keys/api-keys.js';
import type { CredentialCache } from './api-keys/credential-cache.js';
import { createKeyUses } from './api-keys/key-uses.js';
import { createDeviceSignIns } from './sign-in/device-sign-in.js';
import type { SystemMail } from './system-mail.js';
import { createPeople } from './people/people.js';
import type { WakeUps } from '../events/wake-ups.js';

export interface AccountsDeps {
  store: AccountStores;
  credentials: CredentialCache;
  plans: ReadonlyMap<string, PlanLimits>;
  clock: Clock;
}

export interface Accounts {
  routes: Routes[];
  jobs: Job[];
}

/** Throws when an organization is on a plan that config/plans.json lacks: its mail could neither be sent nor counted. */
export async function createAccounts({ store, credentials, plans, clock }: AccountsDeps): Promise<Accounts> {
  const unknown = (await store.accounts.plansInUse()).find(({ plan }) => !plans.has(plan));
  if (unknown) {
    const { plan, organizationId } = unknown;
    throw new Error(
      `Organization ${organizationId} is on plan "${plan}", which is not defined in config/plans.json.`,
    );
  }
  const keyUses = createKeyUses({ store, credentials, clock });
  return {
    routes: [(api) => usageRoutes(api, { store, plans, clock })],
    jobs: [{ name: 'uses of keys', at: 'minute', run: () => keyUses.run(), isOfEachNode: true }],
  };
}

export interface PeopleApiDeps {
  store: AccountStores;
  config: Config;
  keys: Pick<Keys, 'masterKey'>;
  systemMail: SystemMail;
  credentials: Pick<CredentialCache, 'forget'>;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
}

export interface PeopleApi {
  routes: Routes[];
  /** Whether the organization has no owner's account yet. */
  isSetupNeeded(): Promise<boolean>;
  /** Resolves when no mail about an account is being prepared. */
  settled(): Promise<void>;
}

export function createPeopleApi(deps: PeopleApiDeps): PeopleApi {
  const { store, config, clock } = deps;
  const { masterKey } = deps.keys;
  const people = createPeople({ ...deps, settings: config, masterKey });
  const { members, invitations, setupOwner: owner } = people;
  const settings = config;
  const { publicUrl } = config;
  const devices = createDeviceSignIns({ store, planKey: planKeyIn, clock, publicUrl });
  return {
    routes: [
      (api) => authRoutes(api, { store, people, settings }),
      (api) => authAccountRoutes(api, { people, settings }),
      (api) => authDeviceRoutes(api, { devices, settings }),
      (api) => memberRoutes(api, { store, members }),
      (api) => invitationRoutes(api, { store, invitations, settings, clock }),
      (api) => peoplePageRoutes(api),
      (api) => devicePageRoutes(api),
      (api) => meRoutes(api, { store, people, settings }),
      (api) => setupRoutes(api, { store, owner, settings, clock }),
    ],
    isSetupNeeded: () => owner.isNeeded(),
    settled: () => people.resets.settled(),
  };
}
