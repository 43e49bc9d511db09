// Shows /campaigns/new.
import { ComingPage } from '../../ui/states.js';

export function NewCampaignPage() {
  return <ComingPage title="NewCampaignPage" />;
}
