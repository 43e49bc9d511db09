// The order of the test files: simulations come first. They compute for seconds through millions of turns of the event loop, and a
// worker that has run many other files before has less of it to give.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SIMULATIONS =
  /\/(?:many-tenants|held-sub-tenants|dkim-year|traffic-under-faults|crowded-provider)\.test\.ts$/;

export class SimulationsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification): boolean => SIMULATIONS.test(moduleId);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}
