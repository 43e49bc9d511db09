// Tests that every operation of the vendors' API descriptions is either served or refused with a sentence that names an
// alternative. The lists in vendor-operations/ only have methods and paths.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VENDORS } from '../../src/compat/compat.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';
import { operationsGuide, operationsOf } from '../support/vendor-operations.js';

let appliance: Appliance;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
});
afterAll(() => appliance.close());

describe.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))('%s', (_name, vendor) => {
  const { operations } = operationsOf(vendor);
  const refused = operations.filter(({ isServed }) => !isServed);

  it('refuses each operation that it does not serve by its name, with 404 and the alternative', async () => {
    const key = appliance.keys.live_key;
    const wrong: string[] = [];
    for (const { name, method, path, area } of refused) {
      const url = `${appliance.url}/compat/${vendor.name}${path.replaceAll(/\{[^}]+\}/g, 'x')}`;
      const answer = await fetch(url, {
        method,
        headers: { authorization: `Bearer ${key}`, 'x-postmark-server-token': key },
      });
      const text = await answer.text();
      const isNamed = text.includes(`Mailkeel does not support ${method} /compat/${vendor.name}`);
      const hasAlternative = text.includes(vendor.notServed[area] ?? '');
      if (answer.status !== 404 || !isNamed || !hasAlternative)
        wrong.push(`${name}: ${answer.status} ${text}`);
    }
    expect(wrong).toEqual([]);
  });

  it('names an alternative for each of them, and has no other areas', () => {
    expect(refused.filter(({ area }) => area === '').map(({ name }) => name)).toEqual([]);
    const areas = new Set(refused.map(({ area }) => area));
    expect(Object.keys(vendor.notServed).filter((area) => !areas.has(area))).toEqual([]);
  });

  it('names only operations of /v1 that exist', () => {
    const paths = new Set(
      readFileSync('test/http/operations.txt', 'utf8')
        .split('\n')
        .map((line) => line.split(' ')[2]),
    );
    const named = Object.values(vendor.notServed).flatMap(
      (sentence) => sentence.match(/\/v1\/[^\s,)?]*[^\s,)?.]/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !paths.has(path))).toEqual([]);
  });
});

it('docs/compat-operations.md lists every operation (vitest -u updates it)', async () => {
  await expect(operationsGuide()).toMatchFileSnapshot('../../docs/compat-operations.md');
});
