// Shows /webhooks/$id.
import { ComingPage } from '../../ui/states.js';

export function WebhookPage() {
  return <ComingPage title="WebhookPage" />;
}
