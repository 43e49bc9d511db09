// Shows /threads.
import { ComingPage } from '../../ui/states.js';

export function ThreadsPage() {
  return <ComingPage title="ThreadsPage" />;
}
