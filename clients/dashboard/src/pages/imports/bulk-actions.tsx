// Shows /bulk-actions.
import { ComingPage } from '../../ui/states.js';

export function BulkActionsPage() {
  return <ComingPage title="BulkActionsPage" />;
}
