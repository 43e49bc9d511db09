// Shows /senders.
import { ComingPage } from '../../ui/states.js';

export function SendersPage() {
  return <ComingPage title="SendersPage" />;
}
