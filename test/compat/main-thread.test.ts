// Tests that the server refuses costly requests of vendors' clients cheaply.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';

let appliance: Appliance;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
});
afterAll(() => appliance.close());

interface Asked {
  status: number;
  text: string;
  /** CPU time of the main thread, without the cost of building the request. */
  cpuMs: number;
}

/** The server runs in the thread of the test. */
async function ask(path: string, body: string, headers: Record<string, string>): Promise<Asked> {
  const octets = Buffer.from(body);
  const before = process.threadCpuUsage();
  const response = await fetch(`${appliance.url}/compat/${path}`, { method: 'POST', headers, body: octets });
  const text = await response.text();
  const { user, system } = process.threadCpuUsage(before);
  return { status: response.status, text, cpuMs: (user + system) / 1000 };
}

const bearer = () => ({
  authorization: `Bearer ${appliance.keys.test_key}`,
  'content-type': 'application/json',
});

const MB = 1024 * 1024;

describe('substitutions', () => {
  it('run outside the main thread and end', async () => {
    const keys = Array.from({ length: 500 }, (_, at) => [`${'a'.repeat(at + 1)}b`, 'x']);
    const body = {
      personalizations: [{ to: [{ email: 'ann@example.com' }], substitutions: Object.fromEntries(keys) }],
      from: { email: 'news@shop.example' },
      subject: 'Hello',
      content: [{ type: 'text/plain', value: 'a'.repeat(MB) }],
    };
    const { status, cpuMs } = await ask('sendgrid/v3/mail/send', JSON.stringify(body), bearer());
    expect(status).toBe(413);
    expect(cpuMs).toBeLessThan(500);
  });
});

/** So many values that parsing takes seconds and a gigabyte. */
const bomb = `{"a":[${'[],'.repeat(9 * MB)}0]}`;
const mailgun = (type: string) => ({
  authorization: `Basic ${Buffer.from(`api:${appliance.keys.test_key}`).toString('base64')}`,
  'content-type': type,
});
const multipart = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('') + '--b--\r\n';
const MESSAGE = { from: 'news@shop.example', to: 'ann@example.com', subject: 'Hi', text: 'Hi' };

describe('a form', () => {
  it.each([
    ['v3/shop.example/messages', 't:variables', { ...MESSAGE, template: 'welcome', 't:variables': bomb }],
    ['v3/shop.example/messages', 'recipient-variables', { ...MESSAGE, 'recipient-variables': bomb }],
    ['v3/shop.example/templates', 'headers', { name: 'welcome', headers: bomb }],
  ])('for %s has JSON in %s measured before parsing', async (path, name, fields) => {
    const asked = await ask(`mailgun/${path}`, multipart(fields), mailgun('multipart/form-data; boundary=b'));
    expect(asked).toMatchObject({ status: 400 });
    expect(asked.text).toMatch(new RegExp(`${name}: has more than \\d+ values`));
    expect(asked.cpuMs).toBeLessThan(1500);
  });

  it.each([
    ['escapes', `html=${'%41'.repeat(9 * MB)}`],
    ['plus signs', `html=${'+'.repeat(27 * MB)}`],
    ['addresses', `to=${'a@b.c,'.repeat(4 * MB)}`],
    ['names', `${'a'.repeat(27 * MB)}=1`],
    ['fields', 'a=1&'.repeat(6 * MB)],
  ])('with many %s is refused cheaply', async (_what, body) => {
    const asked = await ask(
      'mailgun/v3/shop.example/messages',
      body,
      mailgun('application/x-www-form-urlencoded'),
    );
    expect(asked.status).toBe(400);
    expect(asked.cpuMs).toBeLessThan(1500);
  });

  it('with many parts is refused after the first ones', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="to"\r\n\r\nx\r\n';
    const asked = await ask(
      'mailgun/v3/shop.example/messages',
      `${part.repeat((27 * MB) / part.length)}--b--`,
      mailgun('multipart/form-data; boundary=b'),
    );
    expect(asked.status).toBe(400);
    expect(asked.cpuMs).toBeLessThan(1000);
  });
});

describe('a field of JSON', () => {
  it.each([
    ['postmark/email', { From: 'news@shop.example', To: 'a@b.c,'.repeat(3 * MB), TextBody: 'Hi' }, 'To'],
    [
      'resend/emails',
      { from: 'news@shop.example', to: 'ann@example.com', subject: 'x'.repeat(20 * MB), text: 'Hi' },
      'subject',
    ],
  ])('with %s is refused for its length', async (path, body, name) => {
    const headers = { ...bearer(), 'x-postmark-server-token': appliance.keys.test_key };
    const asked = await ask(path, JSON.stringify(body), headers);
    expect(asked.status).toBe(422);
    expect(asked.text).toContain(name);
    expect(asked.cpuMs).toBeLessThan(1000);
  });
});
