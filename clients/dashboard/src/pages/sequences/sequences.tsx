// Shows /sequences.
import { ComingPage } from '../../ui/states.js';

export function SequencesPage() {
  return <ComingPage title="SequencesPage" />;
}
