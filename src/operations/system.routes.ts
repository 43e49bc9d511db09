// GET /v1/system: the release, where mail is handed in, what is listened on, and how much is taken.
import { system, type PORT_NAMES, type SystemWire } from './system.schema.js';
import type { PlanLimits } from '../accounts/quota.rules.js';
import type { ReleaseNotes } from './release-notes.rules.js';
import type { Config } from '../settings/settings.js';
import type { Store } from '../store/store.js';
import type { Scope } from '../store/scope.js';
import type { Api } from '../api/api.js';
import { requestsPerMinute } from '../api/rate-limit.js';
import { isOperator } from './operator.routes.js';

export interface BoundPort {
  name: (typeof PORT_NAMES)[number];
  /** Null when nobody listens. */
  host: string | null;
  port: number | null;
  note: string | null;
}

export interface SystemRouteDeps {
  store: Pick<Store, 'accounts'>;
  version: string;
  release: ReleaseNotes | null;
  plans: ReadonlyMap<string, PlanLimits>;
  /** What is listened on now; none before the start has ended. */
  ports: () => readonly BoundPort[];
  settings: SystemSettings;
}

type SystemSettings = Pick<
  Config,
  | 'publicUrl'
  | 'hostname'
  | 'rateLimitLivePerMinute'
  | 'rateLimitTestPerMinute'
  | 'messageBodyLimitBytes'
  | 'bodyLimitBytes'
  | 'importBodyLimitBytes'
  | 'messageSizeLimitBytes'
  | 'attachmentLimit'
  | 'recipientLimit'
  | 'batchLimit'
>;

export function systemRoutes(app: Api, deps: SystemRouteDeps): void {
  const { version, release, ports, settings } = deps;
  app.get(
    '/v1/system',
    {
      schema: {
        operationId: 'system.get',
        tags: ['System'],
        summary: 'The release, where the relay is, how much is taken, and what is new',
        description:
          'Every port is shown to the operator only: to people and keys of the first workspace. `plan` is null for a request ' +
          'that is narrowed to a sub-tenant.',
        response: { 200: system },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      return {
        object: 'system' as const,
        version,
        public_url: settings.publicUrl,
        hostname: settings.hostname,
        relay: relayOf(ports(), settings.hostname),
        limits: limitsOf(scope, settings),
        plan: await planOf(deps, scope),
        ports: isOperator(scope) ? [...ports()] : null,
        release,
      };
    },
  );
}

function relayOf(ports: readonly BoundPort[], host: string): SystemWire['relay'] {
  const portOf = (wanted: BoundPort['name']): number | null =>
    ports.find(({ name }) => name === wanted)?.port ?? null;
  const [port, tlsPort] = [portOf('relay'), portOf('relay_tls')];
  return port === null && tlsPort === null ? null : { host, port, tls_port: tlsPort };
}

function limitsOf(scope: Scope, settings: SystemSettings): SystemWire['limits'] {
  return {
    requests_per_minute: requestsPerMinute(settings, scope),
    message_body_bytes: settings.messageBodyLimitBytes,
    body_bytes: settings.bodyLimitBytes,
    import_body_bytes: settings.importBodyLimitBytes,
    message_bytes: settings.messageSizeLimitBytes,
    attachments: settings.attachmentLimit,
    recipients: settings.recipientLimit,
    batch: settings.batchLimit,
  };
}

async function planOf({ store, plans }: SystemRouteDeps, scope: Scope): Promise<SystemWire['plan']> {
  if (scope.subTenantId !== null) return null;
  const { plan } = await store.accounts.organization(scope);
  const limits = plans.get(plan);
  return {
    name: plan,
    daily_sends: limits?.dailySends ?? null,
    monthly_sends: limits?.monthlySends ?? null,
  };
}
