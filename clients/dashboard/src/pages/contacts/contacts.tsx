// Shows /contacts.
import { ComingPage } from '../../ui/states.js';

export function ContactsPage() {
  return <ComingPage title="ContactsPage" />;
}
