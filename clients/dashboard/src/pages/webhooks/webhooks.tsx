// Shows /webhooks.
import { ComingPage } from '../../ui/states.js';

export function WebhooksPage() {
  return <ComingPage title="WebhooksPage" />;
}
