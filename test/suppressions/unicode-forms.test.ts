// Tests that a suppression applies to an address in every spelling that reads the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressKey } from '../../src/lib/mime/index.js';
import { startFullApi, type FullApiRig } from '../support/program.js';

let rig: FullApiRig;
beforeAll(async () => {
  rig = await startFullApi();
});
afterAll(() => rig.close());

async function ask(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${rig.testKey}` };
  const { statusCode, body } = await rig.app.inject({
    method,
    url,
    headers,
    ...(payload ? { payload } : {}),
  });
  return { status: statusCode, json: JSON.parse(body) as Record<string, unknown> };
}

const COMPOSED = 'josé@example.com'.normalize('NFC');
const DECOMPOSED = 'josé@example.com'.normalize('NFD');

describe('an address', () => {
  it.each([
    ['composed and decomposed', COMPOSED, DECOMPOSED],
    ['in capitals, decomposed', COMPOSED, 'JOSÉ@EXAMPLE.COM'.normalize('NFD')],
    ['with compatible signs', 'Å@example.com', '\u212b@example.com'],
    ['with a final sigma', 'οδός@example.com', 'ΟΔΌΣ@example.com'],
    ['with a final sigma written as another', 'οδός@example.com', 'οδόσ@example.com'],
    ['with a dotted capital', 'İ@example.com', 'İ@example.com'.normalize('NFD')],
  ])('has one key: %s', (_what, one, other) => {
    expect(addressKey(other)).toBe(addressKey(one));
    expect(addressKey(addressKey(one))).toBe(addressKey(one));
  });

  it('is suppressed, found and lifted in its other form too', async () => {
    expect(await ask('POST', '/v1/suppressions', { email: COMPOSED })).toMatchObject({ status: 201 });
    const sent = await ask('POST', '/v1/messages', {
      from: 'news@shop.example',
      to: DECOMPOSED,
      subject: 'Hello',
      text: 'Hello',
    });
    const read = await ask('GET', `/v1/messages/${String(sent.json['id'])}`);
    expect(read.json).toMatchObject({ status: 'suppressed' });
    const found = await ask('GET', `/v1/suppressions?q=${encodeURIComponent('JOSÉ'.normalize('NFD'))}`);
    expect(found.json['data']).toHaveLength(1);
    expect(await ask('DELETE', `/v1/suppressions/${encodeURIComponent(DECOMPOSED)}`)).toMatchObject({
      status: 200,
    });
  });
});
