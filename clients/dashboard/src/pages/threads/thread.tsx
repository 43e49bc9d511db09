// Shows /threads/$id.
import { ComingPage } from '../../ui/states.js';

export function ThreadPage() {
  return <ComingPage title="ThreadPage" />;
}
