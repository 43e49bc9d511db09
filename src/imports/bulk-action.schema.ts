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
  sentence,
} from '../contract/schema.js';
import { pausedReason } from './import.schema.js';
import { SUPPRESSION_REASONS } from '../suppressions/suppression.schema.js';

const BULK_TARGETS = ['messages', 'contacts'] as const;
const LIST_ACTIONS = ['add_to_list', 'remove_from_list'] as const;
const BULK_ACTIONS = ['resend', 'cancel', 'suppress', 'tag', 'untag', ...LIST_ACTIONS, 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
const MESSAGE_ACTIONS = ['resend', 'cancel', 'suppress'] as const;
const CONTACT_ACTIONS = ['tag', 'untag', ...LIST_ACTIONS, 'suppress', 'delete'] as const;

const filterText = 'Filters as in the list operation for these objects. Without filters, everything matches.';
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
    description:
      'Whether to only count the matches. Nothing is changed, and the response (200) has the number of matches and a sample.',
  }),
);
const reason = Type.Optional(
  oneOf(SUPPRESSION_REASONS, {
    default: 'manual',
    description: 'The suppression reason for the action `suppress`.',
  }),
);

export const bulkOnMessages = closed(
  {
    action: oneOf(MESSAGE_ACTIONS, {
      description: "The action. `suppress` suppresses the recipients' addresses.",
    }),
    filter: messageFilter,
    reason,
    dry_run: dryRun,
  },
  { examples: [{ action: 'resend', filter: { status: ['failed'], tag: ['customer'] }, dry_run: false }] },
);

export const bulkOnContacts = closed(
  {
    action: oneOf(CONTACT_ACTIONS, {
      description:
        'The action. `add_to_list` does not add contacts who unsubscribed from the list. `delete` does not delete suppressions.',
    }),
    filter: contactFilter,
    tags: Type.Optional(
      Type.Array(tagList.items, {
        minItems: 1,
        maxItems: MAX_TAGS,
        description: 'The tags to add or remove. Required for `tag` and `untag`.',
      }),
    ),
    list_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The list to add the contacts to or remove them from. Required for `add_to_list` and `remove_from_list`. It cannot be a segment.',
      }),
    ),
    reason,
    dry_run: dryRun,
  },
  { examples: [{ action: 'tag', filter: { status: ['active'] }, tags: ['spring'] }] },
);

const failure = Type.Object({
  code: Type.String({ description: 'The error code, as returned by the operation on a single object.' }),
  message: sentence({ description: 'The message of the first error with this code.' }),
  count: Type.Integer(),
});
export type BulkFailure = Static<typeof failure>;

export const bulkAction = Type.Object({
  id: Type.String(),
  object: Type.Literal('bulk_action'),
  target: oneOf(BULK_TARGETS),
  action: oneOf(BULK_ACTIONS),
  filter: Type.Record(Type.String(), Type.Unknown(), { description: 'The filters of the request.' }),
  tags: Type.Array(Type.String()),
  list_id: nullable(
    Type.String({ description: 'The list of the actions `add_to_list` and `remove_from_list`.' }),
  ),
  reason: nullable(
    oneOf(SUPPRESSION_REASONS, { description: 'The suppression reason for the action `suppress`.' }),
  ),
  status: oneOf(['queued', 'running', 'completed', 'failed', 'canceled']),
  sub_tenant_id: nullable(Type.String()),
  total: nullable(
    Type.Integer({
      description:
        'Number of matching objects. `null` until the search for them is complete. Objects that match later are not changed.',
    }),
  ),
  processed: Type.Integer({ description: 'Number of processed objects: the sum of the next three fields.' }),
  done: Type.Integer(),
  skipped: Type.Integer({ description: 'Objects that were deleted or already in the target state.' }),
  failed: Type.Integer({ description: 'Objects for which the action failed. See `failures`.' }),
  failures: Type.Array(failure, { description: 'Failures by error code.' }),
  error: nullable(sentence({ description: 'Why the action ended early, as a sentence.' })),
  paused_reason: pausedReason,
  created_at: timestamp,
  updated_at: timestamp,
  finished_at: nullable(timestamp),
});

const sampled = Type.Object({
  id: Type.String(),
  object: oneOf(['message', 'contact']),
  email: Type.String({ description: 'The address of the recipient or contact.' }),
  status: Type.String(),
  subject: nullable(Type.String()),
});

export const bulkPreview = Type.Object({
  object: Type.Literal('bulk_action_preview'),
  target: oneOf(BULK_TARGETS),
  action: oneOf(BULK_ACTIONS),
  count: Type.Integer({ description: 'Number of current matches.' }),
  count_exact: Type.Boolean({
    description:
      'Whether `count` is exact. If `false`, there are at least `count` matches, because counting them all would take too long.',
  }),
  sample: Type.Array(sampled, { description: 'The newest matches, up to 10.' }),
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
