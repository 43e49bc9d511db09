// Tests that advice knows the permission of each operation that it suggests, as the routes define it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyPermission } from '../../src/contract/names.js';
import { CALLS, isPermitted, type AdviceOperation } from '../../src/outbound/explain/advice-calls.rules.js';
import { startFullApi, type FullApiRig } from '../support/program.js';

const PERMISSIONS: readonly KeyPermission[] = ['read', 'send', 'full'];

let rig: FullApiRig;
beforeAll(async () => {
  rig = await startFullApi();
});
afterAll(() => rig.close());

describe.each(PERMISSIONS)('a key with the permission %s', (permission) => {
  it('is refused exactly those operations that its advice omits', async () => {
    const key = await rig.addKey({ permission });
    const operations = Object.keys(CALLS) as AdviceOperation[];
    const refused: string[] = [];
    for (const operation of operations) {
      const [method = '', template = ''] = CALLS[operation].split(' ');
      const { text } = await rig.ask(method, template.replace(/\{\w+\}/g, 'none'), { key, body: {} });
      if (text.includes('The API key has')) refused.push(operation);
    }
    expect(refused).toEqual(operations.filter((operation) => !isPermitted({ permission }, operation)));
  });
});
