// Tests widely used mail programs through the real relay: swaks, Python's smtplib, curl and msmtp, each with text, HTML, an
// inline image and files. Python's email package reads the result, and every file must keep its hash.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePackages } from '../support/apt.js';
import { readMail, type ReadMail } from '../support/mail-oracles.js';
import { startMailRigWithSink, type SinkRig } from '../support/mail-rig.js';

const PYTHON = '/usr/bin/python3';
const sha256 = (octets: Buffer): string => createHash('sha256').update(octets).digest('hex');

const FILES = {
  'report.pdf': randomBytes(300_000),
  'logo.png': randomBytes(20_000),
  // Unusual line ends, which no transport may change.
  'table.csv': Buffer.from('a;b\n1;2\r\n3;4\r.\n..\nFrom x\n \n', 'latin1'),
};
const TEXT = 'Schöne Grüße!\n.\n..two dots\nFrom the shop\n-- \nThe Shop\n';
const HTML = `<p>Schöne Grüße! <img src="cid:logo@shop.example"></p>\n<p>${'long '.repeat(400)}</p>\n`;

let relay: SinkRig;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailkeel-senders-'));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(at(name), content);
  writeFileSync(at('body.txt'), TEXT);
  writeFileSync(at('body.html'), HTML);
  relay = await startMailRigWithSink();
});
afterAll(async () => {
  await relay.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const submission = (): number => relay.appliance.mailPort('Relay');
const submissions = (): number => relay.appliance.mailPort('Relay, TLS');

/** Runs a program to its end; if it fails, the error contains its output. */
async function run(program: string, args: string[], input = Buffer.alloc(0)): Promise<void> {
  const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (said += text.toString()));
  }
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}: ${said.slice(-5_000)}`);
}

const python = (script: string, ...args: string[]): Promise<void> => run(PYTHON, ['-c', script, ...args]);

/** The one mail for this address, as Python reads it, signed by Mailkeel. */
async function received(to: string): Promise<ReadMail> {
  const { raw } = await relay.arrived(to);
  expect(await relay.validSignatures(raw)).toContain('shop.example');
  return readMail(raw);
}

function expectFiles(mail: ReadMail, names: readonly (keyof typeof FILES)[]): void {
  const arrived = Object.fromEntries(
    mail.parts.flatMap(({ filename, content }) => (filename === null ? [] : [[filename, sha256(content)]])),
  );
  expect(arrived).toEqual(Object.fromEntries(names.map((name) => [name, sha256(FILES[name])])));
}

/** The text as it was, but for line ends, and the blank line that a sender may add. */
function expectText(mail: ReadMail, type: string, text: string): void {
  const part = mail.parts.find((one) => one.type === type && one.filename === null);
  expect(part?.content.toString('utf8').replaceAll('\r\n', '\n').trimEnd()).toBe(text.trimEnd());
}

/** Expects the API to list the sent files. */
async function expectListed(to: string, names: readonly (keyof typeof FILES)[]): Promise<void> {
  const { json } = await relay.appliance.api('GET', `/v1/messages?to=${to}`);
  const [message] = json.data as { id: string; attachments: { filename: string; sha256: string }[] }[];
  const full = (await relay.reached(message?.id ?? '', 'delivered'))['attachments'] as typeof message extends
    | { attachments: infer Listed }
    | undefined
    ? Listed
    : never;
  const hashes = Object.fromEntries(full.map(({ filename, sha256: hash }) => [filename, hash]));
  expect(hashes).toMatchObject(Object.fromEntries(names.map((name) => [name, sha256(FILES[name])])));
}

/** A mail as Python composes it, in ./mail.eml with LF, as programs on Unix have it. */
const COMPOSE = `
import sys
from email.message import EmailMessage
def compose(to, policy):
    mail = EmailMessage(policy=policy)
    mail['From'] = 'The Shöp <orders@shop.example>'
    mail['To'] = to
    mail['Bcc'] = 'hidden@receiver.example'
    mail['Subject'] = 'Grüße aus dem Laden'
    mail['X-Service-Tag'] = 'python'
    mail.set_content(open('body.txt', encoding='utf-8').read(), cte='quoted-printable')
    mail.add_alternative(open('body.html', encoding='utf-8').read(), subtype='html', cte='base64')
    mail.get_payload()[1].add_related(open('logo.png', 'rb').read(), 'image', 'png', cid='<logo@shop.example>', filename='logo.png', disposition='inline')
    mail.add_attachment(open('report.pdf', 'rb').read(), 'application', 'pdf', filename='report.pdf')
    mail.add_attachment(open('table.csv', 'rb').read(), 'text', 'csv', filename='table.csv')
    return mail
`;

const CONNECT = `
import smtplib, ssl
def connect(port, implicit, key, method):
    context = ssl._create_unverified_context()
    smtp = smtplib.SMTP_SSL('127.0.0.1', int(port), context=context) if implicit == 'True' else smtplib.SMTP('127.0.0.1', int(port))
    if implicit != 'True':
        smtp.starttls(context=context)
    smtp.ehlo()
    smtp.user, smtp.password = 'anybody', key
    smtp.auth(method, getattr(smtp, 'auth_' + method.lower()))
    return smtp
`;

describe("Python's smtplib", () => {
  it.each([
    ['send_message over STARTTLS, AUTH PLAIN', 'False', 'PLAIN'],
    ['send_message over TLS, AUTH LOGIN', 'True', 'LOGIN'],
  ])('%s', async (_how, implicit, method) => {
    const to = `python.${method.toLowerCase()}@receiver.example`;
    const script = `${COMPOSE}${CONNECT}
from email.policy import SMTP
smtp = connect(*sys.argv[1:5])
refused = smtp.send_message(compose(sys.argv[5], SMTP), from_addr='robot@shop.example', to_addrs=[sys.argv[5], 'hidden@receiver.example'])
assert refused == {}, refused
smtp.quit()
`;
    const port = implicit === 'True' ? submissions() : submission();
    await python(script, String(port), implicit, relay.key, method, to);
    const mail = await received(to);
    expectFiles(mail, ['report.pdf', 'logo.png', 'table.csv']);
    // The program's own change before it sends.
    expectText(mail, 'text/plain', TEXT.replace('From the', '>From the'));
    expectText(mail, 'text/html', HTML);
    expect(mail.headers['subject']).toBe('Grüße aus dem Laden');
    expect(mail.headers['bcc']).toBeUndefined();
    await expectListed(to, ['report.pdf', 'logo.png', 'table.csv']);
  });

  it('sendmail with bytes whose lines end with LF, and the Bcc field', async () => {
    const to = 'python.lf@receiver.example';
    const script = `${COMPOSE}${CONNECT}
from email.policy import default
smtp = connect(*sys.argv[1:5])
octets = compose(sys.argv[5], default).as_bytes()
assert b'\\r\\n' not in octets
smtp.sendmail('robot@shop.example', [sys.argv[5], 'blind.lf@receiver.example'], octets)
smtp.quit()
`;
    await python(script, String(submission()), 'False', relay.key, 'PLAIN', to);
    for (const address of [to, 'blind.lf@receiver.example']) {
      const mail = await received(address);
      expectFiles(mail, ['report.pdf', 'logo.png', 'table.csv']);
      expectText(mail, 'text/plain', TEXT);
      expectText(mail, 'text/html', HTML);
      expect(mail.headers['bcc']).toBeUndefined();
    }
  });

  it('gets errors as exceptions', async () => {
    const script = `${CONNECT}
import sys
try:
    connect(*sys.argv[1:5])
except smtplib.SMTPAuthenticationError as error:
    assert error.smtp_code == 535, error
else:
    raise SystemExit('signed in')
`;
    await python(script, String(submission()), 'False', 'svc_live_wrong', 'PLAIN');
  });
});

const withoutCurl = ensurePackages({ packages: ['curl'], isThere: () => existsSync('/usr/bin/curl') });
if (withoutCurl !== null) console.warn(`skipped: curl: ${withoutCurl}`);

describe.skipIf(withoutCurl !== null)('curl', () => {
  it.each([
    ['smtp://, which becomes TLS', false, 'PLAIN'],
    ['smtps://', true, 'LOGIN'],
  ])('with %s', async (_how, implicit, method) => {
    const to = `curl.${method.toLowerCase()}@receiver.example`;
    const url = implicit ? `smtps://127.0.0.1:${submissions()}` : `smtp://127.0.0.1:${submission()}`;
    await run('/usr/bin/curl', [
      ...['--silent', '--show-error', '--fail', '--ssl-reqd', '--insecure', '--url', url],
      ...['--user', `anybody:${relay.key}`, '--login-options', `AUTH=${method}`],
      ...['--mail-from', 'robot@shop.example', '--mail-rcpt', to],
      ...['-H', 'From: The Shop <orders@shop.example>', '-H', `To: ${to}`, '-H', 'Subject: From curl'],
      ...['-F', '=(;type=multipart/alternative'],
      ...['-F', '=<body.txt;type=text/plain;charset=utf-8;encoder=quoted-printable'],
      ...['-F', '=<body.html;type=text/html;charset=utf-8;encoder=8bit', '-F', '=)'],
      ...['-F', '=@logo.png;type=image/png;encoder=base64;headers="Content-ID: <logo@shop.example>"'],
      ...['-F', '=@report.pdf;type=application/pdf;encoder=base64'],
      ...['-F', '=@table.csv;type=text/csv;encoder=base64'],
    ]);
    const mail = await received(to);
    expectFiles(mail, ['report.pdf', 'logo.png', 'table.csv']);
    expectText(mail, 'text/plain', TEXT);
    expectText(mail, 'text/html', HTML);
    expect(mail.parts.find(({ filename }) => filename === 'logo.png')?.contentId).toBe('<logo@shop.example>');
    await expectListed(to, ['report.pdf', 'logo.png', 'table.csv']);
  });
});

const withoutSwaks = ensurePackages({
  packages: ['swaks', 'libnet-ssleay-perl'],
  isThere: () => existsSync('/usr/bin/swaks'),
});
if (withoutSwaks !== null) console.warn(`skipped: swaks: ${withoutSwaks}`);

describe.skipIf(withoutSwaks !== null)('swaks', () => {
  const swaks = (args: string[]): Promise<void> =>
    run('/usr/bin/swaks', [
      ...['--server', '127.0.0.1', '--ehlo', 'client.example', '--from', 'robot@shop.example'],
      ...[
        '--h-From',
        'The Shop <orders@shop.example>',
        '--auth-user',
        'anybody',
        '--auth-password',
        relay.key,
      ],
      ...args,
    ]);

  it.each([
    ['STARTTLS', 'PLAIN'],
    ['TLS from the start', 'LOGIN'],
  ])('with its own attachments, %s, AUTH %s', async (_how, method) => {
    const to = `swaks.${method.toLowerCase()}@receiver.example`;
    const where =
      method === 'PLAIN'
        ? ['--tls', '--port', String(submission())]
        : ['--tls-on-connect', '--port', String(submissions())];
    await swaks([
      ...where,
      ...['--auth', method, '--to', to, '--body', '@body.txt'],
      ...['--attach-type', 'application/pdf', '--attach-name', 'report.pdf', '--attach', '@report.pdf'],
      ...['--attach-type', 'image/png', '--attach-name', 'logo.png', '--attach', '@logo.png'],
      ...['--attach-type', 'text/csv', '--attach-name', 'table.csv', '--attach', '@table.csv'],
    ]);
    const mail = await received(to);
    expectFiles(mail, ['report.pdf', 'logo.png', 'table.csv']);
    expectText(mail, 'text/plain', TEXT);
    await expectListed(to, ['report.pdf', 'logo.png', 'table.csv']);
  });

  it('gets errors for a wrong key and a foreign From', async () => {
    const base = ['--tls', '--port', String(submission()), '--auth', 'PLAIN', '--to', 'no@receiver.example'];
    await expect(swaks([...base, '--auth-password', 'svc_live_wrong'])).rejects.toThrow(/535 5\.7\.8/);
    await expect(swaks([...base, '--h-From', 'eve@elsewhere.example'])).rejects.toThrow(/550 5\.7\.1 eve@/);
  });
});

const withoutMsmtp = ensurePackages({ packages: ['msmtp'], isThere: () => existsSync('/usr/bin/msmtp') });
if (withoutMsmtp !== null) console.warn(`skipped: msmtp: ${withoutMsmtp}`);

describe.skipIf(withoutMsmtp !== null)('msmtp', () => {
  it.each([
    ['STARTTLS', 'plain'],
    ['TLS from the start', 'login'],
  ])('as sendmail, %s, AUTH %s, with the Bcc field', async (_how, method) => {
    const to = `msmtp.${method}@receiver.example`;
    const blind = `blind.${method}@receiver.example`;
    writeFileSync(at('key'), relay.key);
    const script = `${COMPOSE}
from email.policy import default
mail = compose(sys.argv[1], default)
del mail['Bcc']
mail['Bcc'] = sys.argv[2]
open('mail.eml', 'wb').write(mail.as_bytes())
`;
    await python(script, to, blind);
    const implicit = method === 'login';
    await run(
      '/usr/bin/msmtp',
      [
        ...['--host=127.0.0.1', `--port=${implicit ? submissions() : submission()}`, '--auth=' + method],
        ...['--tls=on', `--tls-starttls=${implicit ? 'off' : 'on'}`, '--tls-certcheck=off', '--user=anybody'],
        ...[
          `--passwordeval=cat ${at('key')}`,
          '--from=robot@shop.example',
          '--remove-bcc-headers=off',
          '--file=/dev/null',
        ],
        '--read-recipients',
      ],
      readFileSync(at('mail.eml')),
    );
    for (const address of [to, blind]) {
      const read = await received(address);
      expectFiles(read, ['report.pdf', 'logo.png', 'table.csv']);
      expectText(read, 'text/plain', TEXT);
      expectText(read, 'text/html', HTML);
      expect(read.headers['bcc']).toBeUndefined();
    }
  });
});
