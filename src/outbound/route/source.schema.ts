// What mail leaves by: sources and smarthosts with pools, warm-up, and what keeps them closed.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { queueOverride } from '../schedule/queue.schema.js';
import { nameEnums, nameSchemas, nullable, oneOf } from '../../contract/schema.js';

const SOURCE_KINDS = ['mta', 'smarthost'] as const;
const SOURCE_STATES = ['open', 'suspected', 'closed'] as const;
const SMARTHOST_TLS = ['opportunistic', 'required', 'implicit'] as const;

const warmUpDestination = Type.Object({
  destination: Type.String({ description: 'A provider, or the mail hosts of a site.' }),
  stage: Type.Integer({ description: 'Days of the plan that are done.' }),
  limit_today: nullable(Type.Integer({ description: 'Of this UTC day; null: it is warmed up.' })),
  sent_today: Type.Integer(),
  deferred_today: Type.Integer(),
  complained_today: Type.Integer(),
  held: Type.Boolean({ description: 'Tomorrow has the same limit, for what was answered today.' }),
});

const warmUp = Type.Object({
  started_on: Type.String({ format: 'date' }),
  plan_days: Type.Integer({
    description: 'After so many days with mail a destination has no limit any more.',
  }),
  sent_today: Type.Integer({ description: 'To all destinations.' }),
  destinations_total: Type.Integer(),
  destinations: Type.Array(warmUpDestination, { description: 'The 50 that most went to today.' }),
});

const smarthost = Type.Object({
  host: Type.String(),
  port: Type.Integer(),
  tls: oneOf(SMARTHOST_TLS),
});

const closed = Type.Object({
  reason: Type.String(),
  reply: Type.String({ description: 'What was observed, such as the error of the connection.' }),
  until: nullable(Type.String({ format: 'date-time', description: 'When it is tried again.' })),
});

export const source = Type.Object(
  {
    object: Type.Literal('source'),
    name: Type.String(),
    kind: oneOf(SOURCE_KINDS, { description: '`mta`: mail goes to the mail hosts of recipients from here.' }),
    ipv4: nullable(
      Type.String({ description: 'Null: the system chooses, unless there is an IPv6 address.' }),
    ),
    ipv6: nullable(Type.String()),
    ehlo_name: nullable(Type.String({ description: 'What its PTR record must say.' })),
    smarthost: nullable(smarthost),
    pools: Type.Array(Type.Object({ name: Type.String(), weight: Type.Number() })),
    default: Type.Boolean({ description: 'Mail that no route is for leaves by it.' }),
    state: oneOf(SOURCE_STATES, {
      description:
        '`closed`: nothing leaves by it. `suspected`: it may be cut off, and is used where there is no other way.',
    }),
    closed: nullable(closed),
    warm_up: nullable(warmUp),
    limits_total: Type.Integer(),
    limits: Type.Array(queueOverride, {
      description: 'In force on its paths, the newest 50; `GET /v1/queue/overrides` has all.',
    }),
  },
  { description: 'An address, or a server of somebody else, that mail leaves by.' },
);
export type SourceWire = Static<typeof source>;

nameSchemas({
  Source: source,
  SourcePool: source.properties.pools.items,
  SourceClosed: closed,
  SourceWarmUp: warmUp,
  SourceWarmUpDestination: warmUpDestination,
  Smarthost: smarthost,
});

nameEnums({ SourceKind: SOURCE_KINDS, SourceState: SOURCE_STATES, SmarthostTls: SMARTHOST_TLS });
