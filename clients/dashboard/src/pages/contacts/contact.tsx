// Shows /contacts/$id.
import { ComingPage } from '../../ui/states.js';

export function ContactPage() {
  return <ComingPage title="ContactPage" />;
}
