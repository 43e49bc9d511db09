// Shows /bounces.
import { ComingPage } from '../../ui/states.js';

export function BouncesPage() {
  return <ComingPage title="BouncesPage" />;
}
