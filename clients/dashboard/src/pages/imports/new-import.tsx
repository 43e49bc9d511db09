// Shows /imports/new.
import { ComingPage } from '../../ui/states.js';

export function NewImportPage() {
  return <ComingPage title="NewImportPage" />;
}
