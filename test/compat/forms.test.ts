// Tests form bodies that are truncated or lack required parts, as after a client error or a lost connection.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../support/run-size.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';

let appliance: Appliance;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
});
afterAll(() => appliance.close());

const part = (disposition: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data${disposition}\r\n\r\n${value}\r\n`;
const END = '--b--\r\n';
const FIELDS = Object.entries({
  ...{ from: 'news@shop.example', to: 'delivered@simulator.example' },
  ...{ subject: 'Hello', text: 'Hello' },
})
  .map(([name, value]) => part(`; name="${name}"`, value))
  .join('');
const FILE = part('; name="attachment"; filename="a.txt"', 'file');

async function post(body: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${appliance.url}/compat/mailgun/v3/shop.example/messages`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`api:${appliance.keys.test_key}`).toString('base64')}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
    body,
  });
  return { status: response.status, body: await response.json() };
}

const refused = (sentence: string) => ({
  status: 400,
  body: { message: expect.stringContaining(sentence) as string },
});

describe('a form', () => {
  it('is refused wherever its body is truncated, and the server continues', async () => {
    const whole = FIELDS + FILE + END;
    // The two hyphens after the last delimiter end the form, and the rest may be missing.
    const taken: [cut: number, answer: unknown][] = [];
    const last = whole.length - '\r\n'.length - 1;
    const step = sized({ small: 3, full: 1 });
    for (let cut = last; cut >= FIELDS.length; cut -= step) {
      const answer = await post(whole.slice(0, cut));
      const { message } = answer.body as { message?: unknown };
      if (answer.status !== 400 || typeof message !== 'string') taken.push([cut, answer]);
    }
    expect(taken).toEqual([]);
    expect((await post(whole)).status).toBe(200);
  });

  it.each([
    ['field', '', 'text'],
    ['field with an empty name', '; name=""', 'text'],
    ['file', '; filename="a.txt"', 'file'],
  ])('is refused with a %s without a name', async (_what, disposition, value) => {
    expect(await post(FIELDS + part(disposition, value) + END)).toEqual(
      refused('The form has a part without a name.'),
    );
  });
});
