// Shows /events.
import { ComingPage } from '../../ui/states.js';

export function EventsPage() {
  return <ComingPage title="EventsPage" />;
}
