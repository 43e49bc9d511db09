// Shows /suppressions.
import { ComingPage } from '../../ui/states.js';

export function SuppressionsPage() {
  return <ComingPage title="SuppressionsPage" />;
}
