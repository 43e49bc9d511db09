// What GET /v1/system answers: the release, where it can be reached, and how much it takes.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { nameEnums, nameSchemas, nullable, oneOf } from '../contract/schema.js';

export const PORT_NAMES = ['api', 'api_tls', 'inbound', 'relay', 'relay_tls', 'name_server'] as const;

const port = Type.Integer({ minimum: 0, maximum: 65_535 });
const size = Type.Integer({ minimum: 0 });
const limitOrNone = nullable(Type.Integer({ minimum: 0, description: 'Null: no limit.' }));

const systemPort = Type.Object({
  name: oneOf(PORT_NAMES),
  host: nullable(Type.String({ description: 'The address that is listened on; null when none is.' })),
  port: nullable(port),
  note: nullable(Type.String({ description: 'Why it is not the one of the settings, or none.' })),
});

const systemRelay = Type.Object({
  host: Type.String({ description: 'The name that is on its certificate.' }),
  port: nullable(Type.Integer({ description: 'With STARTTLS; null when nobody listens.' })),
  tls_port: nullable(Type.Integer({ description: 'With TLS from the start; null when nobody listens.' })),
});

const systemLimits = Type.Object({
  requests_per_minute: nullable(
    Type.Integer({ minimum: 0, description: 'Of the environment of the key; null: no limit.' }),
  ),
  message_body_bytes: size,
  body_bytes: size,
  import_body_bytes: size,
  message_bytes: Type.Integer({ minimum: 0, description: 'Of a composed message.' }),
  attachments: size,
  recipients: Type.Integer({ minimum: 0, description: 'To, cc and bcc of one request together.' }),
  batch: Type.Integer({ minimum: 0, description: 'Messages of one batch.' }),
});

const systemPlan = Type.Object({
  name: Type.String(),
  daily_sends: limitOrNone,
  monthly_sends: limitOrNone,
});

const systemRelease = Type.Object({
  heading: Type.String({ description: 'The newest of CHANGELOG.md.' }),
  sections: Type.Array(
    Type.Object({ title: Type.String(), items: Type.Array(Type.String({ description: 'Markdown.' })) }),
  ),
});

export const system = Type.Object({
  object: Type.Literal('system'),
  version: Type.String(),
  public_url: Type.String({ format: 'uri' }),
  hostname: Type.String({ description: 'Name of the appliance in SMTP.' }),
  relay: nullable(systemRelay),
  limits: systemLimits,
  plan: nullable(systemPlan),
  ports: nullable(Type.Array(systemPort, { description: 'For the operator only; null for others.' })),
  release: nullable(systemRelease),
});
export type SystemWire = Static<typeof system>;

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
