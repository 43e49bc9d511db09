// Tests the vendors' interfaces as a whole: they can be disabled by vendor, each request is counted once, and the request log
// shows the operation that was performed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFullApi, type FullApiRig } from '../support/program.js';
import { bearer, createAsk, type Ask } from '../support/isolation-world.js';

let rig: FullApiRig;
let ask: Ask;
beforeAll(async () => {
  rig = await startFullApi({ env: { MAILKEEL_COMPAT: 'resend', MAILKEEL_RATE_LIMIT_TEST: '2/min' } });
  ask = createAsk(rig);
});
afterAll(() => rig.close());

it('serves the configured vendors, and counts each request once', async () => {
  const caller = bearer('test', rig.testKey);
  const other = await ask(caller, { method: 'POST', url: '/compat/postmark/email', body: {} });
  expect([other.status, other.json.error.code]).toEqual([404, 'not_found']);
  const body = { from: 'a@shop.example', to: 'b@example.com', subject: 'S', text: 'T' };
  const send = () => ask(caller, { method: 'POST', url: '/compat/resend/emails', body });
  const first = await send();
  expect([first.status, first.headers['ratelimit-remaining']]).toEqual([200, '1']);
  expect((await send()).status).toBe(200);
  const third = await send();
  expect([third.status, third.json.name]).toEqual([429, 'rate_limit_exceeded']);
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
});
