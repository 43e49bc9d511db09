// Shows /campaigns.
import { ComingPage } from '../../ui/states.js';

export function CampaignsPage() {
  return <ComingPage title="CampaignsPage" />;
}
