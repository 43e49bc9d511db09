// Shows /audit-log.
import { ComingPage } from '../../ui/states.js';

export function AuditLogPage() {
  return <ComingPage title="AuditLogPage" />;
}
