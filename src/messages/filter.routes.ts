// Converts the filters of GET /v1/messages to those of the store.
import type { Static } from 'typebox';
import type { messagesQuery } from './message.schema.js';
import { addressKey } from '../lib/mime/index.js';
import type { MessageFilter } from './messages.store.js';
import { narrowedTo, type Scope } from '../database/scope.js';
import { readInstant } from '../http/body/fields.js';

type Query = Static<typeof messagesQuery>;

/** Returns `null` if nothing can match because the query names another environment or sub-tenant than the caller's. */
export function readMessageFilter(
  query: Query,
  callerScope: Scope,
): { scope: Scope; filter: MessageFilter } | null {
  const filter = toMessageFilter(query);
  if (query.sandbox !== undefined && query.sandbox !== (callerScope.mode === 'test')) return null;
  const scope = narrowedTo(callerScope, query.sub_tenant_id);
  return scope === null ? null : { scope, filter };
}

/** Converts query parameters to a filter of messages. */
export function toMessageFilter(
  query: Omit<Query, 'limit' | 'cursor' | 'order' | 'view' | 'sub_tenant_id'>,
): MessageFilter {
  const { status, to, from, subject, metadata, type, tag, q } = query;
  const { created_after: after, created_before: before } = query;
  return {
    ...(status === undefined ? {} : { status }),
    ...(to === undefined ? {} : { toKeys: to.map((one) => addressKey(one.trim())) }),
    ...(from === undefined ? {} : { from: from.map((one) => one.trim().toLowerCase()) }),
    ...(subject === undefined ? {} : { subject }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(type === undefined ? {} : { type }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(query.thread_id === undefined ? {} : { threadId: query.thread_id }),
    ...(query.campaign_id === undefined ? {} : { campaignId: query.campaign_id }),
    ...(query.sequence_id === undefined ? {} : { sequenceId: query.sequence_id }),
    ...(query.in_doubt === undefined ? {} : { inDoubt: query.in_doubt }),
    ...(q === undefined || q === '' ? {} : { q }),
    ...(after === undefined ? {} : { createdAfter: readInstant('created_after', after) }),
    ...(before === undefined ? {} : { createdBefore: readInstant('created_before', before) }),
  };
}
