// Shows /people.
import { ComingPage } from '../../ui/states.js';

export function PeoplePage() {
  return <ComingPage title="PeoplePage" />;
}
