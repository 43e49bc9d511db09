// Shows /health.
import { ComingPage } from '../../ui/states.js';

export function HealthPage() {
  return <ComingPage title="HealthPage" />;
}
