// Bulk actions on the wire: one action for all messages or contacts that a filter finds, first as a dry run.
import { Type, type Static } from 'typebox';
import { contactFilters } from '../contacts/contact.schema.js';
import { createdQueryWith, orderedQuery } from '../contract/lists.js';
import { messagesQuery } from '../messages/message.schema.js';
import {
  closed,
  KEEPS_EMPTY,
  MAX_TAGS,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  tagList,
  timestamp,
} from '../contract/schema.js';
import { pausedReason } from './import.schema.js';
import { SUPPRESSION_REASONS } from '../suppressions/suppression.schema.js';

const BULK_TARGETS = ['messages', 'contacts'] as const;
const BULK_ACTIONS = ['resend', 'cancel', 'suppress', 'tag', 'untag', 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
const MESSAGE_ACTIONS = ['resend', 'cancel', 'suppress'] as const;
const CONTACT_ACTIONS = ['tag', 'untag', 'suppress', 'delete'] as const;

const filterText = 'The filters of the list of the same objects; with none of them everything matches.';
const messageFilter = closed(Type.Omit(messagesQuery, ['limit', 'cursor', 'order', 'view']).properties, {
  [KEEPS_EMPTY]: true,
  description: filterText,
});
const contactFilter = closed(Type.Omit(createdQueryWith(contactFilters), ['limit', 'cursor']).properties, {
  [KEEPS_EMPTY]: true,
  description: filterText,
});

const dryRun = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'True: changes nothing, and answers 200 with the number of matches and a sample.',
  }),
);
const reason = Type.Optional(
  oneOf(SUPPRESSION_REASONS, { default: 'manual', description: 'Of `suppress`.' }),
);

export const bulkOnMessages = closed(
  {
    action: oneOf(MESSAGE_ACTIONS, { description: '`suppress`: the addresses that they went to.' }),
    filter: messageFilter,
    reason,
    dry_run: dryRun,
  },
  { examples: [{ action: 'resend', filter: { status: ['failed'], tag: ['customer'] }, dry_run: false }] },
);

export const bulkOnContacts = closed(
  {
    action: oneOf(CONTACT_ACTIONS, { description: '`delete` leaves their suppressions.' }),
    filter: contactFilter,
    tags: Type.Optional(
      Type.Array(tagList.items, {
        minItems: 1,
        maxItems: MAX_TAGS,
        description: 'Of `tag` and `untag`, which need them.',
      }),
    ),
    reason,
    dry_run: dryRun,
  },
  { examples: [{ action: 'tag', filter: { status: ['active'] }, tags: ['spring'] }] },
);

const failure = Type.Object({
  code: Type.String({ description: 'Of the error that the operation on a single one answers.' }),
  message: Type.String({ description: 'Of the first of them.' }),
  count: Type.Integer(),
});
export type BulkFailure = Static<typeof failure>;

export const bulkAction = Type.Object({
  id: Type.String(),
  object: Type.Literal('bulk_action'),
  target: oneOf(BULK_TARGETS),
  action: oneOf(BULK_ACTIONS),
  filter: Type.Record(Type.String(), Type.Unknown(), { description: 'As it was asked for.' }),
  tags: Type.Array(Type.String()),
  reason: nullable(oneOf(SUPPRESSION_REASONS, { description: 'Of `suppress`.' })),
  status: oneOf(['queued', 'running', 'completed', 'failed', 'canceled']),
  sub_tenant_id: nullable(Type.String()),
  total: nullable(
    Type.Integer({
      description: 'Number of objects; null until they are found. Later matches are not changed.',
    }),
  ),
  processed: Type.Integer({ description: 'Number of processed objects: the sum of the three below.' }),
  done: Type.Integer(),
  skipped: Type.Integer({ description: 'Objects that were in that state already, or are deleted.' }),
  failed: Type.Integer({ description: 'Were refused; `failures` says why.' }),
  failures: Type.Array(failure, { description: 'By code.' }),
  error: nullable(Type.String({ description: 'Why it ended early, as a sentence.' })),
  paused_reason: pausedReason,
  created_at: timestamp,
  updated_at: timestamp,
  finished_at: nullable(timestamp),
});

const sampled = Type.Object({
  id: Type.String(),
  object: oneOf(['message', 'contact']),
  email: Type.String({ description: "The recipient's address; the contact's." }),
  status: Type.String(),
  subject: nullable(Type.String()),
});

export const bulkPreview = Type.Object({
  object: Type.Literal('bulk_action_preview'),
  target: oneOf(BULK_TARGETS),
  action: oneOf(BULK_ACTIONS),
  count: Type.Integer({ description: 'Number of matches now.' }),
  count_exact: Type.Boolean({
    description: 'False: there are at least `count`; counting them all takes too long.',
  }),
  sample: Type.Array(sampled, { description: 'The newest of them, at most 10.' }),
});
export type BulkPreviewWire = Static<typeof bulkPreview>;

export const bulkActionQuery = orderedQuery;

nameSchemas({
  BulkActionMessageFilter: messageFilter,
  BulkActionContactFilter: contactFilter,
  BulkActionOnMessages: bulkOnMessages,
  BulkActionOnContacts: bulkOnContacts,
  BulkActionFailure: failure,
  BulkAction: bulkAction,
  BulkActionSample: sampled,
  BulkActionPreview: bulkPreview,
});

nameEnums({
  BulkActionTarget: BULK_TARGETS,
  BulkActionName: BULK_ACTIONS,
  BulkActionOfMessages: MESSAGE_ACTIONS,
  BulkActionOfContacts: CONTACT_ACTIONS,
  BulkActionSampleObject: ['message', 'contact'],
});
