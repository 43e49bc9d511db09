// The filters of GET /v1/messages as the store takes them.
import type { Static } from 'typebox';
import type { messagesQuery } from '../../contract/message.js';
import { invalidFields } from '../../contract/refusal.js';
import { addressKey } from '../../mail/address.js';
import type { MessageFilter } from '../../store/messages.js';
import type { Scope } from '../../store/scope.js';

const INSTANT = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d))?$/;

/** Null when nothing can match: another environment, or another sub-tenant than the caller's. */
export function readMessageFilter(
  query: Static<typeof messagesQuery>,
  callerScope: Scope,
): { scope: Scope; filter: MessageFilter } | null {
  const { status, to, type, tag, q, sub_tenant_id: tenant } = query;
  for (const field of ['to', 'tag', 'q', 'sub_tenant_id'] as const) {
    if (query[field]?.includes('\0')) {
      throw invalidFields([{ path: field, message: 'contains a NUL character' }]);
    }
  }
  const filter: MessageFilter = {
    ...(status === undefined ? {} : { status }),
    ...(to === undefined ? {} : { toKey: addressKey(to.trim()) }),
    ...(type === undefined ? {} : { type }),
    ...(tag === undefined ? {} : { tag }),
    ...(q === undefined || q === '' ? {} : { q }),
    ...instant('createdAfter', 'created_after', query.created_after),
    ...instant('createdBefore', 'created_before', query.created_before),
  };
  if (query.sandbox !== undefined && query.sandbox !== (callerScope.mode === 'test')) return null;
  if (tenant === undefined || tenant === callerScope.subTenantId) return { scope: callerScope, filter };
  if (callerScope.subTenantId !== null) return null;
  return { scope: { ...callerScope, subTenantId: tenant }, filter };
}

function instant(
  name: 'createdAfter' | 'createdBefore',
  path: string,
  text: string | undefined,
): Partial<MessageFilter> {
  if (text === undefined) return {};
  // A plus sign that was not percent-encoded arrives as a blank.
  const read = text.trim().replace(/ (\d\d:?\d\d)$/, '+$1');
  const at = INSTANT.test(read) ? Date.parse(read.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(at)) {
    throw invalidFields([{ path, message: 'must be a date, or a time such as 2026-03-01T09:00:00Z' }]);
  }
  return { [name]: at };
}
