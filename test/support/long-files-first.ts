// The order of the test files. Simulations come first: they compute for seconds through millions of turns of the event loop, and a
// worker that has run many other files before has less of it to give. Then the other long ones, so that no worker begins one
// when the others are done.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SIMULATIONS = /\/(?:many-tenants|dkim-year|traffic-under-faults|crowded-provider)\.test\.ts$/;
/** Those that take more than five seconds of a core, or ten by the clock. */
const LONG =
  /\/(?:isolation|audit-walk\.routes|sign-in\.routes|people\.routes|sequences|campaigns|renderer|sts-policies|admin|stream\.routes|bounded-worker|smtp-listener-abuse|refuses-to-start|webhooks-bad-endpoints|killed-in-the-middle|store-on-postgres)\.test\.ts$/;

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number =>
      SIMULATIONS.test(moduleId) ? 0 : LONG.test(moduleId) ? 1 : 2;
    return sorted.sort((one, other) => rankOf(one) - rankOf(other));
  }
}
