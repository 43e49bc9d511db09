// Shows /account.
import { ComingPage } from '../../ui/states.js';

export function AccountPage() {
  return <ComingPage title="AccountPage" />;
}
