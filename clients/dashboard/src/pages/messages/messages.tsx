// Shows /messages.
import { ComingPage } from '../../ui/states.js';

export function MessagesPage() {
  return <ComingPage title="MessagesPage" />;
}
