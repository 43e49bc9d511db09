// Composes the nouns for mail to many recipients: contacts, lists, imports, campaigns, sequences, tracking, analytics.
import { createAccountImports } from '../account-imports/index.js';
import { createAnalyticsModule } from '../analytics/index.js';
import type { PlanLimits } from '../accounts/quota.rules.js';
import type { Routes } from '../http/api.js';
import type { Cursors } from '../http/lists/cursors.js';
import { campaignStatistics } from '../campaigns/analytics.routes.js';
import { searchRoutes } from '../operations/search.routes.js';
import { createCampaignsModule } from '../campaigns/index.js';
import { contactEraseRoutes } from '../erasure/erase.routes.js';
import { contactExportRoutes } from '../erasure/export.routes.js';
import { createImportsModule } from '../imports/index.js';
import type { Transfers } from '../imports/transfers.js';
import type { DnsResolver } from '../lib/dns/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import { type DiskGuard, roomWithSpace } from '../lib/files/index.js';
import type { Keys } from '../lib/secrets/index.js';
import { createListsModule } from '../lists/index.js';
import type { Submission } from '../messages/accept/accept.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { QuotaCheck } from '../messages/accept/quota-check.js';
import type { Senders } from '../domains/senders/senders.js';
import type { SubTenants } from '../domains/sub-tenants/sub-tenants.js';
import { TemplateSources } from '../templates/sources.js';
import type { VendorFormats } from '../webhooks/format.rules.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import type { InstallationFiles } from '../operations/files/installation-files.js';
import { bounceRoutes } from '../analytics/bounces.routes.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import type { TrafficView } from '../outbound/traffic-view.js';
import { createSequencesModule } from '../sequences/index.js';
import type { Sequences } from '../sequences/sequences.js';
import type { RoomOf } from './node.js';
import type { Config } from '../settings/settings.js';
import type { Store } from './store.js';
import { createTrackingModule } from '../tracking/index.js';
import { workspaceSections } from './workspace-sections.js';

interface AudienceDeps {
  store: Store;
  config: Config;
  keys: Keys;
  files: InstallationFiles;
  disk: DiskGuard;
  resolver: DnsResolver;
  plans: ReadonlyMap<string, PlanLimits>;
  renderer: Renderer;
  submission: Submission;
  quota: QuotaCheck;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  traffic: Pick<TrafficView, 'providerOf'>;
  cursors: Pick<Cursors, 'eventId'>;
  rules: OutboundRules;
  roomOf: RoomOf;
  senders: Pick<Senders, 'planAddress' | 'planDomain'>;
  subTenants: Pick<SubTenants, 'plan' | 'announce'>;
  /** Webhook formats of other vendors. */
  formats: VendorFormats;
}

export interface Audience {
  routes: Routes[];
  transfers: Transfers;
  transferRetention: ReturnType<typeof createImportsModule>['retention'];
  accountImports: ReturnType<typeof createAccountImports>;
  sequences: Sequences;
  start(): void;
  /** Finishes running batches and saves pending opens and clicks. All other work is in the store. */
  stop(): Promise<void>;
}

interface Module {
  routes: Routes[];
  start?: () => void;
  stop?: () => Promise<void>;
}

export function createAudience(deps: AudienceDeps): Audience {
  const { store, clock, traffic } = deps;
  const { roomOf, disk } = deps;
  const lists = createListsModule(deps);
  const sources = new TemplateSources(deps.renderer);
  const imports = createImportsModule({
    ...deps,
    otherFiles: store.accountImports,
    sections: workspaceSections({ ...deps, sources, pageUrl: lists.pageUrl }),
    room: roomOf('transfers'),
  });
  const accountImports = createAccountImports({
    ...deps,
    masterKey: deps.keys.masterKey,
    files: imports.files,
    quota: imports.quota,
    sources,
    room: roomOf('transfers'),
  });
  const sequences = createSequencesModule({
    ...deps,
    tokenKey: deps.keys.tokenKeys.active,
    room: roomWithSpace(roomOf('sequences'), disk),
  });
  const modules: Module[] = [
    { routes: [(api) => contactEraseRoutes(api, deps), (api) => contactExportRoutes(api, deps)] },
    lists,
    imports,
    accountImports,
    createCampaignsModule({
      ...deps,
      tokenKey: deps.keys.tokenKeys.active,
      room: roomWithSpace(roomOf('campaigns'), disk),
    }),
    sequences,
    createAnalyticsModule(
      {
        ...deps,
        providerOf: (domain) => traffic.providerOf(domain),
        room: roomOf('statistics'),
      },
      campaignStatistics(store),
    ),
    createTrackingModule(deps),
    { routes: [(api) => searchRoutes(api, { store }), (api) => bounceRoutes(api, { store, clock })] },
  ];
  return {
    routes: modules.flatMap(({ routes }) => routes),
    transfers: imports.transfers,
    transferRetention: imports.retention,
    accountImports,
    sequences: sequences.sequences,
    start() {
      for (const one of modules) one.start?.();
    },
    async stop() {
      await Promise.all(modules.flatMap(({ stop }) => (stop ? [stop()] : [])));
    },
  };
}
