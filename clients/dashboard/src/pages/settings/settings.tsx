// Shows /settings.
import { ComingPage } from '../../ui/states.js';

export function SettingsPage() {
  return <ComingPage title="SettingsPage" />;
}
