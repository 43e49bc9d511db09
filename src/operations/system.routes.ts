// GET /v1/system: the release, submission settings, ports, and limits.
import { isPublicName } from '../lib/addresses/index.js';
import type { PlanLimits } from '../accounts/quota.rules.js';
import type { ReleaseNotes } from './release-notes.rules.js';
import type { Config } from '../settings/settings.js';
import type { OperationStores } from './stores.js';
import type { Scope } from '../database/scope.js';
import type { Api } from '../http/api.js';
import { requestsPerMinute } from '../http/access/rate-limit.js';
import { isOperator } from '../accounts/operator.rules.js';
import { Type, type Static } from 'typebox';
import { nameEnums, nameSchemas, nullable, oneOf } from '../contract/schema.js';

const PORT_NAMES = ['api', 'api_tls', 'inbound', 'relay', 'relay_tls', 'name_server', 'metrics'] as const;

const portSchema = Type.Integer({ minimum: 0, maximum: 65_535 });
const size = Type.Integer({ minimum: 0 });
const limitOrNone = nullable(
  Type.Integer({ minimum: 0, description: 'The limit. `null` if there is none.' }),
);

const systemPort = Type.Object({
  name: oneOf(PORT_NAMES),
  host: nullable(
    Type.String({ description: 'The address that the server listens on. `null` if it does not listen.' }),
  ),
  port: nullable(portSchema),
  note: nullable(Type.String({ description: 'Why the port differs from the settings or is not available.' })),
});

const systemRelay = Type.Object({
  host: Type.String({ description: "The host name on the relay's certificate." }),
  port: nullable(
    Type.Integer({ description: 'The relay port with STARTTLS. `null` if the relay has no such port.' }),
  ),
  tls_port: nullable(
    Type.Integer({ description: 'The relay port with implicit TLS. `null` if the relay has no such port.' }),
  ),
});

const systemLimits = Type.Object({
  requests_per_minute: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Requests per minute for the environment of the key. `null` if there is no limit.',
    }),
  ),
  message_body_bytes: size,
  body_bytes: size,
  import_body_bytes: size,
  message_bytes: Type.Integer({ minimum: 0, description: 'Maximum size of a composed message in bytes.' }),
  attachments: size,
  recipients: Type.Integer({
    minimum: 0,
    description: 'Maximum number of recipients in `to`, `cc` and `bcc` of a request together.',
  }),
  batch: Type.Integer({ minimum: 0, description: 'Maximum number of messages in a batch.' }),
});

const systemPlan = Type.Object({
  name: Type.String(),
  daily_sends: limitOrNone,
  monthly_sends: limitOrNone,
});

const systemRelease = Type.Object({
  heading: Type.String({ description: 'The latest heading of the changelog.' }),
  sections: Type.Array(
    Type.Object({
      title: Type.String(),
      items: Type.Array(Type.String({ description: 'Items in Markdown.' })),
    }),
  ),
});

const system = Type.Object({
  object: Type.Literal('system'),
  version: Type.String(),
  public_url: Type.String({ format: 'uri' }),
  hostname: Type.String({ description: "The server's host name in SMTP." }),
  missing_settings: Type.Array(oneOf(['MAILKEEL_HOSTNAME', 'MAILKEEL_PUBLIC_URL']), {
    description:
      "Settings you must configure before DNS records and links can contain this server's host name. Empty if none are missing.",
  }),
  relay: nullable(systemRelay),
  limits: systemLimits,
  plan: nullable(systemPlan),
  ports: nullable(
    Type.Array(systemPort, { description: "The server's ports. `null` for anyone other than the operator." }),
  ),
  release: nullable(systemRelease),
});
type SystemWire = Static<typeof system>;

nameSchemas({
  System: system,
  SystemPort: systemPort,
  SystemRelay: systemRelay,
  SystemLimits: systemLimits,
  SystemPlan: systemPlan,
  SystemRelease: systemRelease,
  SystemReleaseSection: systemRelease.properties.sections.items,
});

nameEnums({ SystemPortName: PORT_NAMES });

export interface BoundPort {
  name: (typeof PORT_NAMES)[number];
  /** `null` if the server does not listen on it. */
  host: string | null;
  port: number | null;
  note: string | null;
}

interface SystemFacts {
  version: string;
  release: ReleaseNotes | null;
  plans: ReadonlyMap<string, PlanLimits>;
  /** Returns the ports that the server listens on, or none before it has started. */
  ports: () => readonly BoundPort[];
}

type SystemConfig = Pick<
  Config,
  | 'publicUrl'
  | 'hostname'
  | 'rateLimitLivePerMinute'
  | 'rateLimitTestPerMinute'
  | 'messageBodyLimitBytes'
  | 'bodyLimitBytes'
  | 'importSizeLimitBytes'
  | 'messageSizeLimitBytes'
  | 'attachmentLimit'
  | 'recipientLimit'
  | 'batchLimit'
>;

export function systemRoutes(
  app: Api,
  { store, config }: { store: Pick<OperationStores, 'accounts'>; config: SystemConfig },
  { version, release, plans, ports }: SystemFacts,
): void {
  app.get(
    '/v1/system',
    {
      schema: {
        operationId: 'system.get',
        tags: ['System'],
        summary: 'Retrieve system information',
        description:
          "Returns the release and its news, the relay's address, and the limits. `ports` is only returned to the operator, meaning users and keys of the first workspace. `plan` is `null` if the request is limited to a sub-tenant.",
        response: { 200: system },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      return {
        object: 'system' as const,
        version,
        public_url: config.publicUrl,
        hostname: config.hostname,
        missing_settings: missingSettings(config),
        relay: presentRelay(ports(), config.hostname),
        limits: presentLimits(scope, config),
        plan: await readPlan(store, plans, scope),
        ports: isOperator(scope) ? [...ports()] : null,
        release,
      };
    },
  );
}

function missingSettings({ hostname, publicUrl }: SystemConfig): SystemWire['missing_settings'] {
  const names = { MAILKEEL_HOSTNAME: hostname, MAILKEEL_PUBLIC_URL: new URL(publicUrl).hostname };
  return (['MAILKEEL_HOSTNAME', 'MAILKEEL_PUBLIC_URL'] as const).filter((name) => !isPublicName(names[name]));
}

function presentRelay(ports: readonly BoundPort[], host: string): SystemWire['relay'] {
  const portOf = (wanted: BoundPort['name']): number | null =>
    ports.find(({ name }) => name === wanted)?.port ?? null;
  const [port, tlsPort] = [portOf('relay'), portOf('relay_tls')];
  return port === null && tlsPort === null ? null : { host, port, tls_port: tlsPort };
}

function presentLimits(scope: Scope, config: SystemConfig): SystemWire['limits'] {
  return {
    requests_per_minute: requestsPerMinute(config, scope),
    message_body_bytes: config.messageBodyLimitBytes,
    body_bytes: config.bodyLimitBytes,
    import_body_bytes: config.importSizeLimitBytes,
    message_bytes: config.messageSizeLimitBytes,
    attachments: config.attachmentLimit,
    recipients: config.recipientLimit,
    batch: config.batchLimit,
  };
}

async function readPlan(
  store: Pick<OperationStores, 'accounts'>,
  plans: SystemFacts['plans'],
  scope: Scope,
): Promise<SystemWire['plan']> {
  if (scope.subTenantId !== null) return null;
  const { plan } = await store.accounts.organization(scope);
  const limits = plans.get(plan);
  return {
    name: plan,
    daily_sends: limits?.dailySends ?? null,
    monthly_sends: limits?.monthlySends ?? null,
  };
}
