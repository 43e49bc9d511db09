// Shows /campaigns/$id.
import { ComingPage } from '../../ui/states.js';

export function CampaignPage() {
  return <ComingPage title="CampaignPage" />;
}
