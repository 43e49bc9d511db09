// Tests the ports of a standby server: probes get its state, other clients are asked to retry, and a busy main thread does not
// delay responses.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { loadConfig } from '../../src/settings/load.js';
import { freePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/open-engines.js';
import { Standby } from '../../src/app/appliance.js';

const REASON = 'the database is being upgraded';
let folder: ReturnType<typeof temporaryFolder>;
let standby: Standby;
let plain = '';
let secure = '';

interface Seen {
  status: number;
  retryAfter: string | null;
  type: string | null;
  body: unknown;
}

/** Called from a separate process while the main thread of this one is blocked. */
function ask(url: string, method = 'GET'): Seen | null {
  const body = method === 'POST' ? ", body: '{}'" : '';
  const script = `const answer = await fetch('${url}', { method: '${method}'${body} });
    console.log(JSON.stringify({ status: answer.status, retryAfter: answer.headers.get('retry-after'),
      type: answer.headers.get('content-type'), body: await answer.json() }));`;
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
  const options = { env, encoding: 'utf8', timeout: 20_000 } as const;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options);
  return stdout === '' ? null : (JSON.parse(stdout) as Seen);
}

beforeEach(async () => {
  folder = temporaryFolder();
  const [port, httpsPort] = [await freePort(), await freePort()];
  plain = `http://127.0.0.1:${port}`;
  secure = `https://127.0.0.1:${httpsPort}`;
  const env = {
    MAILKEEL_DATA_DIR: join(folder.path, 'data'),
    MAILKEEL_HTTP_HOST: '127.0.0.1',
    MAILKEEL_HTTP_PORT: String(port),
    MAILKEEL_HTTPS_PORT: String(httpsPort),
    MAILKEEL_LOG_LEVEL: 'silent',
  };
  standby = new Standby(loadConfig({ env }).config, createLog('silent'));
  await standby.begin(REASON);
});
afterEach(async () => {
  await standby.end();
  folder.remove();
});

it('reports to probes that the process is alive and why it is not ready', async () => {
  expect(ask(`${plain}/healthz`)).toMatchObject({ status: 200, body: { status: 'standby' } });
  expect(ask(`${secure}/readyz`)).toMatchObject({
    status: 503,
    retryAfter: '5',
    body: { status: 'standby', reason: REASON },
  });
  await standby.begin('another reason');
  expect(ask(`${plain}/readyz?verbose`)).toMatchObject({ body: { reason: 'another reason' } });
});

it('refuses every other request in a way that clients retry', () => {
  const places = [`${plain}/v1/messages`, `${secure}/v1/messages`, `${secure}/u/some-token`, `${plain}/`];
  for (const url of places) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(ask(url, method)).toMatchObject({
        status: 503,
        retryAfter: '5',
        type: 'application/json; charset=utf-8',
        body: { error: { type: 'unavailable', code: 'unavailable' } },
      });
    }
  }
});

it('frees its ports when the server begins', async () => {
  await standby.end();
  expect(ask(`${plain}/healthz`)).toBeNull();
  expect(ask(`${secure}/healthz`)).toBeNull();
});
