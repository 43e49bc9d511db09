// Shows /messages/new.
import { ComingPage } from '../../ui/states.js';

export function NewMessagePage() {
  return <ComingPage title="NewMessagePage" />;
}
