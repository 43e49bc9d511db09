// Shows /queue/$domain.
import { ComingPage } from '../../ui/states.js';

export function DestinationPage() {
  return <ComingPage title="DestinationPage" />;
}
