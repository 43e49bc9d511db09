// Tests what Mailkeel's own HTTPS port tells a browser: cookies for TLS only, and forms that post only to the same site.
import { request } from 'node:https';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHttpsListener, type HttpsListener } from '../../src/http/server/https.js';
import { chainOf, issueCertificate } from '../support/certificate-chain.js';
import { OWNER, startPeopleRig, type PeopleRig } from '../support/people-rig.js';

const HOST = 'mail.mailkeel.example';
const root = issueCertificate({ commonName: 'Root', isAuthority: true });

let rig: PeopleRig;
let door: HttpsListener;
let port: number;

beforeEach(async () => {
  rig = await startPeopleRig({ publicUrl: 'http://localhost:8080' });
  const pair = chainOf(issueCertificate({ names: [HOST], issuer: root }));
  const certificates = { current: () => pair, subscribe: () => () => undefined };
  door = await createHttpsListener({ app: rig.app, certificates });
  const listening = await door.listen({ host: '127.0.0.1', port: 0 });
  if (!listening.ok) throw new Error(listening.reason);
  port = listening.address.port;
});
afterEach(async () => {
  await door.close();
  await rig.close();
});

function cookieOverTls(): Promise<string> {
  const body = JSON.stringify(OWNER);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        servername: HOST,
        port,
        path: '/v1/auth/sign-in',
        method: 'POST',
        ca: root.cert,
        agent: false,
        headers: { 'content-type': 'application/json' },
      },
      (answer) => {
        answer.resume();
        resolve(String(answer.headers['set-cookie']));
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

it('a session that begins over TLS has a secure cookie, even if the public URL is HTTP', async () => {
  expect(await cookieOverTls()).toMatch(/; Secure/i);
  const plain = await rig.browser().signIn();
  expect(String(plain.headers['set-cookie'])).not.toMatch(/; Secure/i);
});

it.each(['/v1/auth/session', '/reset-password'])(
  'forms of a page can only be sent to Mailkeel: %s',
  async (path) => {
    const { headers } = await rig.browser().ask('GET', path);
    expect(String(headers['content-security-policy'])).toMatch(/(^|; ?)form-action 'self'(;|$)/);
  },
);
