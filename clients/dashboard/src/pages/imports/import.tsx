// Shows /imports/$id.
import { ComingPage } from '../../ui/states.js';

export function ImportPage() {
  return <ComingPage title="ImportPage" />;
}
