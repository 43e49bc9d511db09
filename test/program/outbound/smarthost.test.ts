// Tests sending all mail through one relay that requires TLS and a password: its certificate is verified before it receives
// either.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mailkeel } from '../../support/appliance.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { freePort } from '../../support/free-port.js';
import { insightInto } from '../../support/insight.js';
import { waitFor } from '../../support/wait.js';
import { selfSignedCertificate } from '../../support/test-certificate.js';

const HOST = 'relay.example';

let folder: string;
let port: number;
let server: SMTPServer;
let rig: MailRig;
let logins: string[];
/** The access token that the smarthost accepts. */
let goodToken = '';
let messages: { user: string | undefined; secure: boolean; raw: Buffer }[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-smarthost-'));
  const { key, cert } = selfSignedCertificate(HOST);
  await writeFile(join(folder, 'ca.pem'), cert);
  logins = [];
  messages = [];
  server = new SMTPServer({
    key,
    cert,
    logger: false,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    onAuth(auth, session, done) {
      if (auth.method === 'XOAUTH2') {
        logins.push(`${auth.username}:${auth.accessToken}`);
        if (auth.accessToken === goodToken) done(null, { user: auth.username });
        else done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } });
        return;
      }
      logins.push(`${auth.username}:${auth.password} ${session.secure ? 'over TLS' : 'in clear'}`);
      if (auth.password === 's3cret/') done(null, { user: auth.username });
      else done(new Error('Authentication failed'));
    },
    onData(stream: Readable, session, done) {
      buffer(stream).then(
        (raw) => {
          messages.push({ user: session.user, secure: session.secure, raw });
          done(null, 'queued as relay-1');
        },
        (error: unknown) => done(error as Error),
      );
    },
  });
  server.on('error', () => undefined);
  port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
});

afterEach(async () => {
  await rig.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await rm(folder, { recursive: true, force: true });
});

async function startBehind(password: string, caFile: string | null): Promise<void> {
  rig = await startMailRig({
    process: 'shared',
    env: {
      MAILKEEL_SMARTHOST: `smtp://mailkeel:${encodeURIComponent(password)}@${HOST}:${port}`,
      ...(caFile === null ? {} : { MAILKEEL_EXTRA_CA_FILE: caFile }),
    },
  });
  rig.dns.set(HOST, 'A', ['127.0.0.1']);
}

it('mail is sent by it, authenticated and over TLS, and its 250 makes the message sent', async () => {
  await startBehind('s3cret/', join(folder, 'ca.pem'));
  const id = await rig.send('anna@anywhere.example');
  const message = await rig.reached(id, 'sent');
  expect(message).toMatchObject({ provider: 'smarthost', error: null });
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ user: 'mailkeel', secure: true });
  expect(messages[0]?.raw.toString()).toMatch(/^DKIM-Signature: [^]*d=shop\.example/m);
  expect(logins).toEqual(['mailkeel:s3cret/ over TLS']);
});

it('a smarthost with an unverified certificate gets neither password nor mail', async () => {
  await startBehind('s3cret/', null);
  const id = await rig.send('anna@anywhere.example');
  const trail = await rig.logged(id, 'deferred', 2);
  expect(String(trail.at(-1)?.metadata['reply'])).toMatch(/certificate/i);
  expect(logins).toEqual([]);
  expect(messages).toEqual([]);
});

it('a wrong password defers the mail and loses nothing', async () => {
  await startBehind('wrong', join(folder, 'ca.pem'));
  const id = await rig.send('anna@anywhere.example');
  const trail = await rig.logged(id, 'deferred', 2);
  expect(trail.at(-1)?.metadata).toMatchObject({ phase: 'auth', code: 535 });
  expect(messages).toEqual([]);
  expect(trail.map(({ event }) => event)).not.toContain('bounced');
});

it('a refused access token is replaced by a new one, and neither it nor its secrets are shown', async () => {
  goodToken = 'token-2';
  let issued = 0;
  const endpoint = createServer((_request, response) => {
    issued += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: `token-${issued}`, expires_in: 3600 }));
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  await writeFile(join(folder, 'refresh'), 'n0t-T0-be-seen');
  const { port: tokenPort } = endpoint.address() as AddressInfo;
  const smarthost = {
    ...{ name: 'workspace', url: `smtp://me%40shop.example@${HOST}:${port}` },
    oauth: {
      token_url: `http://127.0.0.1:${tokenPort}/token`,
      ...{
        client_id: 'client',
        client_secret: 'n0t-T0-be-seen',
        refresh_token_file: join(folder, 'refresh'),
      },
    },
  };
  rig = await startMailRig({
    process: 'shared',
    env: {
      MAILKEEL_OUTBOUND: JSON.stringify({ smarthosts: [smarthost], default: ['smarthost:workspace'] }),
      MAILKEEL_EXTRA_CA_FILE: join(folder, 'ca.pem'),
    },
  });
  rig.dns.set(HOST, 'A', ['127.0.0.1']);
  const id = await rig.send('anna@anywhere.example');
  await waitFor('the smarthost has the mail', () => messages.length === 1);
  expect(logins).toEqual(['me@shop.example:token-1', 'me@shop.example:token-2']);
  const attempts = await rig.appliance.api('GET', `/v1/messages/${id}/attempts`);
  expect(attempts.text).toContain('> AUTH XOAUTH2 ***');
  expect([attempts.text, rig.appliance.output()].join('')).not.toMatch(/token-[12]|n0t-T0-be-seen/);
  await new Promise((resolve) => endpoint.close(resolve));
});

it('the password is not shown in conversation, explanation, limits, settings or log', async () => {
  const password = 'n0t-T0-be-seen';
  await startBehind(password, join(folder, 'ca.pem'));
  const id = await rig.send('anna@anywhere.example');
  await rig.logged(id, 'deferred', 2);
  const paths = [
    `/v1/messages/${id}/attempts`,
    `/v1/messages/${id}/audit`,
    '/v1/queue/overrides',
    '/v1/queue/destinations',
    '/v1/health/checks',
  ];
  const answers = await Promise.all(paths.map((path) => rig.appliance.api('GET', path)));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  expect(answers[0]?.text).toContain('> AUTH PLAIN ***');
  const explained = await insightInto(rig.appliance).explained(id, 'deferred_smarthost_login');
  const settings = await mailkeel(['admin', 'config', '--json'], rig.appliance.env);
  const texts = [...answers.map(({ text }) => text), JSON.stringify(explained)];
  const all = [...texts, settings.stdout, rig.appliance.output()].join('\n');
  const forms = [password, `\0mailkeel\0${password}`].flatMap((form) => [
    form,
    Buffer.from(form).toString('base64'),
  ]);
  for (const form of forms) expect(all).not.toContain(form);
});
