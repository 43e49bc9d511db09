// Shows /sequences/$id.
import { ComingPage } from '../../ui/states.js';

export function SequencePage() {
  return <ComingPage title="SequencePage" />;
}
