// Shows /senders/$id.
import { ComingPage } from '../../ui/states.js';

export function SenderPage() {
  return <ComingPage title="SenderPage" />;
}
