// Shows /api-keys.
import { ComingPage } from '../../ui/states.js';

export function ApiKeysPage() {
  return <ComingPage title="ApiKeysPage" />;
}
