// Shows /templates/new.
import { ComingPage } from '../../ui/states.js';

export function NewTemplatePage() {
  return <ComingPage title="NewTemplatePage" />;
}

export function TemplatePage() {
  return <ComingPage title="TemplatePage" />;
}
