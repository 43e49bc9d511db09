// Shows /smtp.
import { ComingPage } from '../../ui/states.js';

export function SmtpPage() {
  return <ComingPage title="SmtpPage" />;
}
