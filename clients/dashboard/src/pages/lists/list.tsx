// Shows /lists/$id.
import { ComingPage } from '../../ui/states.js';

export function ListPage() {
  return <ComingPage title="ListPage" />;
}
