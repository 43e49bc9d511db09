// The audit log, which records every change and the person or key that made it.
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { AuditEntry, AuditEntryList } from '../types.js';

export class AuditLog extends Resource {
  /**
   * Lists audit log entries, newest first.
   *
   * @example
   * for await (const entry of mailkeel.auditLog.list({ since: '2026-03-01T00:00:00Z' })) console.log(entry.action);
   */
  list(params: Query<'auditLog.list'> = {}, options?: RequestOptions): List<AuditEntry, AuditEntryList> {
    return this.pages('GET /v1/audit-log', { query: params, options });
  }
}
