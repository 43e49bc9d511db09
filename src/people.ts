// Wires people: signing in, their accounts, who is in the organization. Nothing here decides anything.
import type { Routes } from './http/api/api.js';
import { authRoutes } from './http/api/routes/auth.js';
import { authAccountRoutes } from './http/api/routes/auth-account.js';
import { authDeviceRoutes } from './http/api/routes/auth-device.js';
import { invitationRoutes } from './http/api/routes/invitations.js';
import { memberRoutes } from './http/api/routes/members.js';
import { dashboardRoutes } from './http/dashboard/dashboard.js';
import { devicePageRoutes } from './http/public/device.js';
import { peoplePageRoutes } from './http/public/people.js';
import { meRoutes } from './http/api/routes/me.js';
import { setupRoutes } from './http/public/setup.js';
import type { Clock } from './runtime/clock.js';
import type { Config } from './runtime/config/schema.js';
import type { Keys } from './runtime/key-files.js';
import type { Log } from './runtime/log.js';
import type { Store } from './store/store.js';
import type { Job } from './sweeps.js';
import { planKeyIn } from './work/accounts/api-keys.js';
import { createDeviceSignIns } from './work/people/device-sign-in.js';
import { createPeople } from './work/people/people.js';
import type { Bells } from './work/submission/accept.js';

export interface PeopleDoorsDeps {
  store: Store;
  config: Config;
  keys: Pick<Keys, 'masterKey'>;
  clock: Clock;
  log: Log;
  bells: Bells;
}

export interface PeopleDoors {
  routes: Routes[];
  jobs: Job[];
  /** Resolves when no mail about an account is being prepared. */
  settled(): Promise<void>;
}

export function createPeopleDoors({ store, config, keys, clock, log, bells }: PeopleDoorsDeps): PeopleDoors {
  const { masterKey } = keys;
  const people = createPeople({ store, settings: config, masterKey, clock, log, bells });
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
    jobs: [{ name: 'ended sessions', at: 'hour', run: () => people.retention.run() }],
    settled: () => people.resets.settled(),
  };
}
