// Shows /templates.
import { ComingPage } from '../../ui/states.js';

export function TemplatesPage() {
  return <ComingPage title="TemplatesPage" />;
}
