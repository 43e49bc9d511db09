// Shows /exports.
import { ComingPage } from '../../ui/states.js';

export function ExportsPage() {
  return <ComingPage title="ExportsPage" />;
}
