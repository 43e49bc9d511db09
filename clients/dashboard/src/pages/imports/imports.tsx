// Shows /imports.
import { ComingPage } from '../../ui/states.js';

export function ImportsPage() {
  return <ComingPage title="ImportsPage" />;
}
