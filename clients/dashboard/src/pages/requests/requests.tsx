// Shows /requests.
import { ComingPage } from '../../ui/states.js';

export function RequestsPage() {
  return <ComingPage title="RequestsPage" />;
}
