// Shows /messages/$id.
import { ComingPage } from '../../ui/states.js';

export function MessagePage() {
  return <ComingPage title="MessagePage" />;
}
