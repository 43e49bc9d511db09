// Shows /sub-tenants/$id.
import { ComingPage } from '../../ui/states.js';

export function SubTenantPage() {
  return <ComingPage title="SubTenantPage" />;
}
