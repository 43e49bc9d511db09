// Wires people: signing in, their accounts, who is in the organization. Composition, nothing decided.
import type { Routes } from '../api/api.js';
import { authRoutes } from '../accounts/sign-in/auth.routes.js';
import { authAccountRoutes } from '../accounts/people/auth-account.routes.js';
import { authDeviceRoutes } from '../accounts/sign-in/auth-device.routes.js';
import { invitationRoutes } from '../accounts/people/invitations.routes.js';
import { memberRoutes } from '../accounts/people/members.routes.js';
import { dashboardRoutes } from '../api/dashboard/dashboard.js';
import { devicePageRoutes } from '../accounts/sign-in/device.pages.js';
import { peoplePageRoutes } from '../accounts/people/people.pages.js';
import { meRoutes } from '../accounts/me.routes.js';
import { setupRoutes } from '../accounts/people/setup.pages.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import type { Store } from '../store/store.js';
import { planKeyIn } from '../accounts/api-keys/api-keys.js';
import { createDeviceSignIns } from '../accounts/sign-in/device-sign-in.js';
import { createPeople } from '../accounts/people/people.js';
import type { WakeUps } from '../messages/accept/accept.js';

export interface PeopleApiDeps {
  store: Store;
  config: Config;
  keys: Pick<Keys, 'masterKey'>;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
}

export interface PeopleApi {
  routes: Routes[];
  /** Resolves when no mail about an account is being prepared. */
  settled(): Promise<void>;
}

export function createPeopleApi({ store, config, keys, clock, log, wakeUps }: PeopleApiDeps): PeopleApi {
  const { masterKey } = keys;
  const people = createPeople({ store, settings: config, masterKey, clock, log, wakeUps });
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
      (api) => dashboardRoutes(api, { isSetupNeeded: () => owner.isNeeded(), publicUrl }),
    ],
    settled: () => people.resets.settled(),
  };
}
