// Shows /usage.
import { ComingPage } from '../../ui/states.js';

export function UsagePage() {
  return <ComingPage title="UsagePage" />;
}
