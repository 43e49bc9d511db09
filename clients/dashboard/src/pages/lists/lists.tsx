// Shows /lists.
import { ComingPage } from '../../ui/states.js';

export function ListsPage() {
  return <ComingPage title="ListsPage" />;
}
