// Shows /sandbox.
import { ComingPage } from '../../ui/states.js';

export function SandboxPage() {
  return <ComingPage title="SandboxPage" />;
}
