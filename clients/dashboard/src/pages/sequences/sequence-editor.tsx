// Shows /sequences/new.
import { ComingPage } from '../../ui/states.js';

export function NewSequencePage() {
  return <ComingPage title="NewSequencePage" />;
}

export function EditSequencePage() {
  return <ComingPage title="EditSequencePage" />;
}
