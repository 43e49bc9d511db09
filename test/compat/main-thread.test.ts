// Requests of a vendor's client that cost the server little to refuse, however much they ask for.
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
  /** Processor time of the thread that serves everybody, without what making the request takes. */
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
  it('are filled beside the thread that serves everybody, and end', async () => {
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
