// Shows /queue.
import { ComingPage } from '../../ui/states.js';

export function QueuePage() {
  return <ComingPage title="QueuePage" />;
}
