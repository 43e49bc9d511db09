// Shows /.
import { ComingPage } from '../../ui/states.js';

export function OverviewPage() {
  return <ComingPage title="OverviewPage" />;
}
