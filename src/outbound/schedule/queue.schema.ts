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
  sentence,
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
const depth = Type.Integer({ description: 'Number of queued messages.' });
const due = Type.Integer({ description: 'Number of queued messages that are due.' });
const leased = Type.Integer({ description: 'Number of queued messages that are currently being delivered.' });
const held = Type.Integer({
  description:
    'Number of queued messages on hold because of a missing signing key, a suspended sub-tenant or an internal error.',
});
const oldestAt = nullable(
  Type.String({ format: 'date-time', description: 'Time at which the oldest queued message was accepted.' }),
);
const nextAttemptAt = nullable(
  Type.String({
    format: 'date-time',
    description:
      'Time of the next delivery attempt. Later than the time at which a message is due if a limit delays it and the end of the delay is known.',
  }),
);

export const queue = Type.Object({
  object: Type.Literal('queue'),
  depth,
  due,
  scheduled: Type.Integer({
    description: 'Number of queued messages waiting for a later time: `send_at` or the next attempt.',
  }),
  leased,
  held,
  transactional: Type.Integer(),
  bulk: Type.Integer({ description: 'Number of queued marketing and sales messages.' }),
  destinations: Type.Integer({ description: 'Number of recipient domains.' }),
  oldest_at: oldestAt,
  next_attempt_at: nextAttemptAt,
});
export type QueueObject = Static<typeof queue>;

const destinationPauseObject = Type.Object({
  sub_tenant_id: nullable(
    Type.String({
      description:
        'The sub-tenant whose mail is paused. To resume it, send this as `X-Sub-Tenant-Id`. `null` if the mail of the whole environment is paused.',
    }),
  ),
  reason: Type.String(),
  created_at: timestamp,
});

export const queueDestination = Type.Object(
  {
    object: Type.Literal('queue_destination'),
    domain: Type.String(),
    provider: nullable(Type.String({ description: "The provider of the domain's mail servers, if known." })),
    depth,
    due,
    leased,
    held,
    oldest_at: oldestAt,
    next_attempt_at: nextAttemptAt,
    state: oneOf(DESTINATION_STATES, {
      description:
        "The delivery state. `flowing`: messages are being delivered. `waiting`: messages are in line or not due yet. `deferred`: the recipient's mail server deferred delivery. `paused`: paused on request. `suspended`: delivery is suspended for some time. `limited`: a limit has been reached.",
    }),
    reason: nullable(
      Type.Object(
        { code: Type.String(), text: sentence(), until: timeOrNull },
        { description: 'Why messages are waiting, with the same code as in the explanation of a message.' },
      ),
    ),
    pauses: Type.Array(destinationPauseObject, {
      description: 'The pauses of this destination. Each is ended in the scope in which it was made.',
    }),
    last_reply: nullable(
      Type.Object(
        {
          at: timestamp,
          code: nullable(Type.Integer()),
          enhanced_code: textOrNull,
          text: Type.String(),
          host: textOrNull,
        },
        { description: 'The last reply to a message that is still queued.' },
      ),
    ),
  },
  { description: 'Queued messages for one recipient domain.' },
);
export type QueueDestinationObject = Static<typeof queueDestination>;

export const destinationsQuery = pageQueryWith({
  domain: Type.Optional(Type.String({ maxLength: 300, description: 'Return only this domain.' })),
});

export const domainParams = Type.Object({ domain: Type.String({ description: 'The recipient domain.' }) });

export const destinationPause = closed({
  reason: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The reason for the pause, shown in explanations of waiting messages.',
      examples: ['Maintenance at the receiving host'],
    }),
  ),
});

export const queueRetry = Type.Object({
  object: Type.Literal('queue_retry'),
  domain: Type.String(),
  retried: Type.Integer({ description: 'Number of messages that became due.' }),
  waiting: Type.Integer({
    description: 'Number of messages that were not retried because their last reply asked for a delay.',
  }),
});

export const NO_REASON = 'no reason was given';
const PURGE_ACTIONS = ['cancel', 'bounce'] as const;

export const queuePurgeRequest = closed(
  {
    action: oneOf(PURGE_ACTIONS, {
      description:
        'The action. `cancel` cancels the messages. `bounce` bounces them and sends a report to senders who submitted them over SMTP.',
    }),
    domain: Type.Optional(
      Type.String({ maxLength: 300, description: 'Include only messages to this recipient domain.' }),
    ),
    sub_tenant_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'Include only messages of this sub-tenant.' }),
    ),
    tag: Type.Optional(Type.String({ maxLength: 256, description: 'Include only messages with this tag.' })),
    campaign_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'Include only copies sent by this campaign.' }),
    ),
    type: Type.Optional(
      Type.Array(oneOf(MESSAGE_TYPES), {
        minItems: 1,
        maxItems: 3,
        description: 'Include only messages of these types.',
      }),
    ),
    accepted_before: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Include only messages accepted before this time, for example `2026-03-01T09:00:00Z`.',
      }),
    ),
    all: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to include all queued messages. Required if you set no filter.',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The reason, shown in audit trails and bounce reports.',
        default: NO_REASON,
      }),
    ),
    dry_run: Type.Boolean({
      description: 'If `true`, only counts the matching messages. If `false`, applies the action.',
    }),
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
  matched: Type.Integer({ description: 'Number of matching messages, among those examined.' }),
  canceled: Type.Integer(),
  bounced: Type.Integer(),
  in_doubt: Type.Integer({
    description:
      'Number of messages that may already have arrived. They are not retried, and are neither canceled nor bounced.',
  }),
  message_ids: Type.Array(Type.String(), {
    maxItems: 10,
    description: 'IDs of the first matching messages.',
  }),
  complete: Type.Boolean({
    description: 'Whether all messages were processed. If `false`, send the same request again.',
  }),
});

export const queueOverride = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('queue_override'),
    path: Type.String({
      description: 'The source and the provider or site, for example `default > google`.',
    }),
    provider: textOrNull,
    site: Type.String(),
    source: Type.String(),
    kind: oneOf(OVERRIDE_KINDS),
    value: Type.Unknown({
      description: 'The current limit, depending on `kind`. For a circuit breaker, its state.',
    }),
    sub_tenant_id: nullable(
      Type.String({ description: 'The sub-tenant the limit applies to, if it is not general.' }),
    ),
    rule: Type.String({ description: 'The rule that set the limit.' }),
    reason: Type.String(),
    reply: nullable(
      Type.String({ description: 'The reply of the receiving mail server. Only shown to the operator.' }),
    ),
    created_at: timestamp,
    expires_at: timestamp,
  },
  {
    description:
      'A limit set on a path because of replies from a receiving mail server, until it expires or is removed.',
  },
);
export type QueueOverrideObject = Static<typeof queueOverride>;

nameSchemas({
  Queue: queue,
  QueueReason: queueDestination.properties.reason.anyOf[0],
  QueueReply: queueDestination.properties.last_reply.anyOf[0],
  QueueDestination: queueDestination,
  QueuePause: destinationPauseObject,
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
