// Orders the test files. Simulations run first, because they compute for seconds through millions of turns of the event loop, and
// a worker that has already run many files has less capacity for that. Other long files follow, so that no worker starts one when
// the others are done. Files that mostly wait are mixed with files that compute, so that the cores stay busy.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SIMULATIONS = /\/(?:many-tenants|dkim-year|traffic-under-faults|crowded-provider)\.test\.ts$/;
/** Files that take more than two seconds of a core. */
const LONG =
  /\/(?:architecture|isolation|audit-walk\.routes|sign-in\.routes|people\.routes|sequences|campaigns|renderer|admin|refuses-to-start|killed-in-the-middle|store-on-postgres|event-archive|backup|contract)\.test\.ts$/;
/** Files that wait for more than two seconds. */
const WAITING =
  /\/(?:smtp-listener(?:-abuse)?|telemetry-thread|dns-drift|stream\.routes|delivery-report-to-the-submitter|webhooks(?:-bad-endpoints|-replay|-endpoint)?|bounded-worker|inbound-slow-mail|postgres|sandbox|mail-reader|schedules|loop|dispatch|https|transport|connections|paused-sub-tenant|waiting|lost-machine|inboxes)\.test\.ts$/;

export class FilesInOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(({ moduleId }) => WAITING.test(moduleId));
    const computing = sorted.filter((file) => !waiting.includes(file));
    const rankOf = ({ moduleId }: TestSpecification): number =>
      SIMULATIONS.test(moduleId) ? 0 : LONG.test(moduleId) ? 1 : 2;
    computing.sort((one, other) => rankOf(one) - rankOf(other));
    return spread(waiting, computing);
  }
}

/** Distributes `some` among `others`, more densely at the beginning, where the others are longer. */
function spread<T>(some: readonly T[], others: readonly T[]): T[] {
  const places = some.map((_, n) => Math.floor(others.length * (n / some.length) ** 2));
  return others
    .flatMap((other, place) => [...some.filter((_, n) => places[n] === place), other])
    .concat(others.length === 0 ? some : []);
}
