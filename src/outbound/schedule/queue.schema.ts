// The queue on the wire: how much waits, for whom, why, and the active limits.
import { Type, type Static } from 'typebox';
import { MESSAGE_TYPES } from '../../contract/names.js';
import { pageQueryWith } from '../../contract/lists.js';
import {
  closed,
  KEEPS_EMPTY,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
} from '../../contract/schema.js';

const DESTINATION_STATES = ['flowing', 'waiting', 'deferred', 'paused', 'suspended', 'limited'] as const;
const OVERRIDE_KINDS = [
  'connections',
  'rate',
  'messages_per_connection',
  'suspend',
  'suspend_tenant',
] as const;

const textOrNull = nullable(Type.String());
const timeOrNull = nullable(timestamp);
const depth = Type.Integer({ description: 'Messages that still have to leave.' });
const due = Type.Integer({ description: 'Of those, with their time come.' });
const leased = Type.Integer({ description: 'Of those, being delivered right now.' });
const held = Type.Integer({
  description: 'Of those, held by the appliance: no signing key, a suspended sub-tenant, a fault.',
});
const oldestAt = nullable(
  Type.String({ format: 'date-time', description: 'When the oldest of them was accepted.' }),
);
const nextAttemptAt = nullable(
  Type.String({
    format: 'date-time',
    description: 'When the first of those waiting is due, or when it may go, if that is known to be later.',
  }),
);

export const queue = Type.Object({
  object: Type.Literal('queue'),
  depth,
  due,
  scheduled: Type.Integer({
    description: 'Of those, waiting for a later time: send_at, or the next attempt.',
  }),
  leased,
  held,
  transactional: Type.Integer(),
  bulk: Type.Integer({ description: 'Marketing and sales.' }),
  destinations: Type.Integer({ description: 'Different recipient domains.' }),
  oldest_at: oldestAt,
  next_attempt_at: nextAttemptAt,
});
export type QueueObject = Static<typeof queue>;

export const queueDestination = Type.Object(
  {
    object: Type.Literal('queue_destination'),
    domain: Type.String(),
    provider: nullable(Type.String({ description: 'Who runs its mail hosts, when that is known.' })),
    depth,
    due,
    leased,
    held,
    oldest_at: oldestAt,
    next_attempt_at: nextAttemptAt,
    state: oneOf(DESTINATION_STATES, {
      description:
        '`flowing`: being delivered. `waiting`: due and in line, or for its time. `deferred`: put off by the mail ' +
        'host. `paused`: by request. `suspended`: nothing goes there for a while. `limited`: no more may go now.',
    }),
    reason: nullable(
      Type.Object(
        { code: Type.String(), text: Type.String(), until: timeOrNull },
        { description: 'Why the mail waits, with the code that explains its messages.' },
      ),
    ),
    last_reply: nullable(
      Type.Object(
        {
          at: timestamp,
          code: nullable(Type.Integer()),
          enhanced_code: textOrNull,
          text: Type.String(),
          host: textOrNull,
        },
        { description: 'The last reply to a message that waits now.' },
      ),
    ),
  },
  { description: 'Waiting mail for one recipient domain.' },
);
export type QueueDestinationObject = Static<typeof queueDestination>;

export const destinationsQuery = pageQueryWith({
  domain: Type.Optional(Type.String({ maxLength: 300, description: 'Only this one.' })),
});

export const domainParams = Type.Object({ domain: Type.String({ description: "A recipient's domain." }) });

export const destinationPause = closed({
  reason: Type.Optional(
    Type.String({ maxLength: 200, description: 'The reason, shown where somebody asks why mail waits.' }),
  ),
});

export const queueRetry = Type.Object({
  object: Type.Literal('queue_retry'),
  domain: Type.String(),
  retried: Type.Integer({ description: 'Messages that are due now and were not before.' }),
  waiting: Type.Integer({
    description: "Messages left as they are, since the receiver's last reply asked to wait.",
  }),
});

export const NO_REASON = 'no reason was given';
const PURGE_ACTIONS = ['cancel', 'bounce'] as const;

export const queuePurgeRequest = closed(
  {
    action: oneOf(PURGE_ACTIONS, {
      description:
        '`cancel`: the messages are canceled. `bounce`: they bounce, and submitters over SMTP get a report.',
    }),
    domain: Type.Optional(
      Type.String({ maxLength: 300, description: 'Only mail to this recipient domain.' }),
    ),
    sub_tenant_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'Only mail of this sub-tenant.' }),
    ),
    tag: Type.Optional(Type.String({ maxLength: 256, description: 'Only messages with this tag.' })),
    campaign_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only copies of this campaign.' })),
    type: Type.Optional(
      Type.Array(oneOf(MESSAGE_TYPES), {
        minItems: 1,
        maxItems: 3,
        description: 'Only messages of these types.',
      }),
    ),
    accepted_before: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Only messages accepted before this time, such as 2026-03-01T09:00:00Z.',
      }),
    ),
    all: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True: everything that waits. Needed where no filter is given.',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "The reason, shown in the messages' trail and in their bounces.",
        default: NO_REASON,
      }),
    ),
    dry_run: Type.Boolean({ description: 'True: counts what fits and changes nothing. False: does it.' }),
  },
  {
    [KEEPS_EMPTY]: true,
    examples: [{ action: 'cancel', domain: 'customer.example', dry_run: true }],
  },
);

export const queuePurge = Type.Object({
  object: Type.Literal('queue_purge'),
  action: oneOf(PURGE_ACTIONS),
  dry_run: Type.Boolean(),
  matched: Type.Integer({ description: 'Waiting messages that fit, as far as was looked.' }),
  canceled: Type.Integer(),
  bounced: Type.Integer(),
  in_doubt: Type.Integer({
    description:
      'Messages that may have arrived already. They are not tried again, and are neither canceled nor bounced.',
  }),
  message_ids: Type.Array(Type.String(), { maxItems: 10, description: 'The first of them.' }),
  complete: Type.Boolean({
    description: 'False when there was no time for all: send the same request again.',
  }),
});

export const queueOverride = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('queue_override'),
    path: Type.String({
      description: 'The sending address and the provider or site, such as `default > google`.',
    }),
    provider: textOrNull,
    site: Type.String(),
    source: Type.String(),
    kind: oneOf(OVERRIDE_KINDS),
    value: Type.Unknown({
      description: 'The present limit, by its kind; for a circuit breaker its state.',
    }),
    sub_tenant_id: nullable(Type.String({ description: 'Set: applies to this sub-tenant only.' })),
    rule: Type.String({ description: 'The rule that set it.' }),
    reason: Type.String(),
    reply: nullable(
      Type.String({ description: "The reply of the mail host; for the operator's keys only." }),
    ),
    created_at: timestamp,
    expires_at: timestamp,
  },
  { description: "A limit that a mail host's replies set on a path, until it expires or is removed." },
);
export type QueueOverrideObject = Static<typeof queueOverride>;

nameSchemas({
  Queue: queue,
  QueueReason: queueDestination.properties.reason.anyOf[0],
  QueueReply: queueDestination.properties.last_reply.anyOf[0],
  QueueDestination: queueDestination,
  QueueDestinationPause: destinationPause,
  QueueRetry: queueRetry,
  QueuePurgeRequest: queuePurgeRequest,
  QueuePurge: queuePurge,
  QueueOverride: queueOverride,
});

nameEnums({
  QueueDestinationState: DESTINATION_STATES,
  QueueOverrideKind: OVERRIDE_KINDS,
  QueuePurgeAction: PURGE_ACTIONS,
});
