// Shows /get-started.
import { ComingPage } from '../../ui/states.js';

export function GetStartedPage() {
  return <ComingPage title="GetStartedPage" />;
}
