// Tests that each operation of a vendor's request counts toward the workspace's rate limit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';

const LIMIT = 30;
let appliance: Appliance;

beforeAll(async () => {
  const env = {
    ...QUICK,
    MAILKEEL_RATE_LIMIT_TEST: `${LIMIT}/min`,
    MAILKEEL_RATE_LIMIT_LIVE: `${LIMIT}/min`,
  };
  appliance = await createAppliance({ process: 'shared', env });
  await appliance.start();
});
afterAll(() => appliance.close());

interface Answer {
  status: number;
  retryAfter: string | null;
  text: string;
}

async function suppress(key: string, count: number, name: string): Promise<Answer> {
  const emails = Array.from({ length: count }, (_, at) => `${name}${at}@example.com`);
  const response = await fetch(`${appliance.url}/compat/sendgrid/v3/asm/suppressions/global`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ recipient_emails: emails }),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  };
}

async function suppressed(): Promise<number> {
  const [row] = await appliance.query('SELECT COUNT(*) AS n FROM suppressions');
  return Number(row?.['n']);
}

describe('a vendor request', () => {
  it('counts as each of its operations', async () => {
    const { test_key: key } = appliance.keys;
    expect(await suppress(key, LIMIT - 5, 'a')).toMatchObject({ status: 201 });
    expect(await suppressed()).toBe(LIMIT - 5);
    // One of the remaining five is the request itself.
    expect(await suppress(key, 5, 'b')).toMatchObject({ status: 201 });
    expect(await suppress(key, 1, 'c')).toMatchObject({ status: 429 });
  });

  it('is refused before any change if the rate limit is too low for all of them', async () => {
    const before = await suppressed();
    const refused = await suppress(appliance.keys.live_key, LIMIT + 1, 'd');
    expect(refused).toMatchObject({
      status: 429,
      retryAfter: expect.stringMatching(/^[1-9]\d?$/) as unknown,
    });
    expect(refused.text).toContain(`counts as ${LIMIT + 1} operations`);
    expect(await suppressed()).toBe(before);
    expect(await suppress(appliance.keys.live_key, LIMIT - 1, 'e')).toMatchObject({ status: 201 });
  });
});
