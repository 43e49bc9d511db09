// Shows /sub-tenants.
import { ComingPage } from '../../ui/states.js';

export function SubTenantsPage() {
  return <ComingPage title="SubTenantsPage" />;
}
