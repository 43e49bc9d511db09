// Tests mail libraries of other languages, from Debian, with the running server: django-anymail, boto3 and Symfony Mailer through
// the vendors' HTTP APIs, and Symfony Mailer, PHPMailer and Ruby's mail through the relay. Mail that arrives at a mail server is
// compared with the input of each library.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePackages } from '../support/apt.js';
import { readMail } from '../support/mail-oracles.js';
import { startMailRigWithSink, type SinkRig } from '../support/mail-rig.js';
import { createSesCredentials, type SesCredentials } from '../support/ses-client.js';

const PYTHON = '/usr/bin/python3';
const DOMAIN = 'receiver.example';
const SYMFONY = '/usr/share/php/Symfony/Component/';
const isThere = (...paths: string[]) => paths.every((path) => existsSync(path));

const MAILERS = {
  'django-anymail': {
    packages: ['python3-django-anymail'],
    isThere: () => spawnSync(PYTHON, ['-c', 'import anymail']).status === 0,
    command: () => [
      PYTHON,
      '-B',
      'test/system/mailers/django_mail.py',
      relay.appliance.url,
      relay.key,
      DOMAIN,
    ],
    ways: ['postmark', 'sendgrid', 'mailgun'],
    mailbox: 'anymail',
    hasTemplates: true,
  },
  'Symfony Mailer': {
    packages: [
      ...['php-cli', 'php-symfony-mailer', 'php-symfony-http-client'],
      ...['php-symfony-postmark-mailer', 'php-symfony-sendgrid-mailer', 'php-symfony-mailgun-mailer'],
    ],
    isThere: () =>
      isThere(
        '/usr/bin/php',
        `${SYMFONY}HttpClient`,
        ...['Postmark', 'Sendgrid', 'Mailgun'].map((name) => `${SYMFONY}Mailer/Bridge/${name}`),
      ),
    command: () => [
      ...['/usr/bin/php', 'test/system/mailers/symfony.php', relay.appliance.url, relay.key, DOMAIN],
      String(submission()),
    ],
    ways: ['postmark', 'sendgrid', 'mailgun', 'mailgun-mime', 'smtp'],
    mailbox: 'symfony',
    hasTemplates: false,
  },
  boto3: {
    packages: ['python3-boto3'],
    isThere: () => spawnSync(PYTHON, ['-c', 'import boto3']).status === 0,
    command: () => [
      ...[PYTHON, '-B', 'test/system/mailers/ses_mail.py', relay.appliance.url],
      ...[ses.access_key_id, ses.secret_access_key, DOMAIN],
    ],
    ways: ['ses', 'sesv2'],
    mailbox: 'boto3',
    hasTemplates: false,
  },
  PHPMailer: {
    packages: ['php-cli', 'libphp-phpmailer'],
    isThere: () => isThere('/usr/bin/php', '/usr/share/php/libphp-phpmailer/autoload.php'),
    command: () => [
      '/usr/bin/php',
      'test/system/mailers/phpmailer.php',
      String(submission()),
      relay.key,
      DOMAIN,
    ],
    ways: ['smtp'],
    mailbox: 'phpmailer',
    hasTemplates: false,
  },
  "Ruby's mail": {
    packages: ['ruby', 'ruby-mail'],
    isThere: () => spawnSync('/usr/bin/ruby', ['-e', 'require "mail"']).status === 0,
    command: () => ['/usr/bin/ruby', 'test/system/mailers/mail.rb', String(submission()), relay.key, DOMAIN],
    ways: ['smtp'],
    mailbox: 'ruby-mail',
    hasTemplates: false,
  },
} as const;
type Mailer = (typeof MAILERS)[keyof typeof MAILERS];

const submission = (): number => relay.appliance.mailPort('Relay');

let relay: SinkRig;
let ses: SesCredentials;
const arrivals: Record<string, string>[] = [];

beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
  ses = await createSesCredentials(relay.appliance, relay.appliance.keys.live_key);
  // SendGrid and Mailgun track by a setting of the account; the organization's setting replaces it.
  await relay.appliance.api('PATCH', '/v1/organization', {
    body: { track_opens: false, track_clicks: false },
  });
  for (const slug of ['welcome', 'd-welcome']) {
    const content = { subject: 'Hallo {{name}}', html: '<p>Grüße, {{name}}</p>' };
    const body = { name: slug, slug, ...content, sub_tenant_id: relay.tenantId };
    const { status, text } = await relay.appliance.api('POST', '/v1/templates', { body });
    expect([status, text]).toEqual([201, text]);
  }
});
afterAll(async () => {
  console.table(arrivals);
  await relay.close();
});

/** The lines that the script of a mailer prints, one for each request. */
function run([program = '', ...args]: readonly string[]): Promise<string[]> {
  const { PATH = '' } = process.env;
  const child = spawn(program, args, { env: { PATH, LANG: 'C.UTF-8' }, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => (written.stdout += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (written.stderr += bytes.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(written.stdout.trim().split('\n'));
      else
        reject(
          new Error(`${program} ended with ${String(code)}: ${written.stderr.slice(-3000)}${written.stdout}`),
        );
    });
  });
}

const sha256 = (octets: Buffer | string): string =>
  createHash('sha256').update(octets).digest('hex').slice(0, 12);

/** The mail to an address as Python's email package reads it, with the record of its message. */
async function received(to: string) {
  const { raw } = await relay.arrived(to);
  expect(await relay.validSignatures(raw)).toContain('shop.example');
  const mail = await readMail(raw);
  const { json } = await relay.appliance.api('GET', `/v1/messages?to=${encodeURIComponent(to)}`);
  const [{ id }] = json.data as [{ id: string }];
  const record = (await relay.appliance.api('GET', `/v1/messages/${id}`)).json as {
    tags: string[];
    metadata: Record<string, unknown>;
  };
  const { headers } = mail;
  const files = mail.parts.filter(({ filename }) => filename !== null);
  const textOf = (type: string) =>
    mail.parts
      .find((part) => part.type === type && part.filename === null)
      ?.content.toString()
      .trim() ?? '';
  const html = textOf('text/html');
  const [cid = ''] = /(?<=cid:)[^"]+/.exec(html) ?? [];
  return {
    From: headers['from'],
    To: headers['to'],
    Cc: headers['cc'],
    Bcc: headers['bcc'],
    'Reply-To': headers['reply-to'],
    Subject: headers['subject'],
    'X-Order': headers['x-order'],
    controls: Object.keys(headers)
      .filter((name) => /^x-(?:smtpapi|pm-|mailgun-)/.test(name))
      .join(),
    text: textOf('text/plain'),
    html: cid === '' ? html : html.replace(cid, 'CID'),
    inline: files
      .filter(({ contentId }) => cid !== '' && contentId === `<${cid}>`)
      .map(({ content }) => sha256(content))
      .join(),
    attached: files
      .filter(({ disposition }) => disposition === 'attachment')
      .map(({ filename, content }) => `${String(filename)} ${sha256(content)}`)
      .join(),
    tags: record.tags.join(),
    metadata: JSON.stringify(record.metadata),
  };
}

const whole = (to: string) => ({
  From: '"Jörg Müller, Söhne" <orders@shop.example>',
  To: `"Smith, Ann" <${to}>`,
  Cc: `Çelik <cc.${to}>`,
  Bcc: undefined,
  'Reply-To': 'Hilfe <help@elsewhere.example>',
  Subject: 'Grüße von "Müller & Söhne"',
  'X-Order': '4711',
  controls: '',
  text: 'Schöne Grüße',
  html: '<p>Schöne Grüße <img src="cid:CID"></p>',
  // Mailgun shows an inline file by its name, which is then its Content-ID.
  inline: sha256(Buffer.from('\x89PNG inline', 'latin1')),
  attached: `Rechnung März.pdf ${sha256('%PDF file')}`,
  tags: 'welcome',
  metadata: '{"order":"4711"}',
});

for (const [name, mailer] of Object.entries<Mailer>(MAILERS)) {
  const missing = ensurePackages(mailer);
  if (missing !== null) console.warn(`skipped: ${name} ${missing}`);

  describe.skipIf(missing !== null)(`${name}${missing === null ? '' : ` (${missing})`}`, () => {
    let lines: string[];
    beforeAll(async () => {
      lines = await run(mailer.command());
    }, 60_000);
    const mailboxOf = (way: string): string =>
      mailer.ways.length === 1 ? `${mailer.mailbox}@${DOMAIN}` : `${mailer.mailbox}-${way}@${DOMAIN}`;

    it('has no refused requests', () => {
      expect(lines.filter((line) => line.includes('FAILED'))).toEqual([]);
    });

    it.each(mailer.ways)('sends a mail with every field by %s', async (way) => {
      const to = mailboxOf(way);
      const found = await received(to);
      const { From, Subject, inline, attached, tags, metadata } = found;
      arrivals.push({
        by: `${name}, ${way}`,
        From: From ?? '',
        Subject: Subject ?? '',
        inline,
        attached,
        tags,
        metadata,
      });
      expect(found).toEqual(whole(to));
      const copies = await Promise.all([received(`cc.${to}`), received(`bcc.${to}`)]);
      expect(copies).toEqual([whole(to), whole(to)]);
    });

    if (!mailer.hasTemplates) return;

    it.each(mailer.ways)('fills a template, also for several recipients, by %s', async (way) => {
      const values = { template: 'Jürgen', a: 'Ann', b: 'Bernd' };
      const filled = Object.entries(values).map(async ([part, value]) => {
        const to = `${part}.${mailboxOf(way)}`;
        const { From, To, Cc, Subject, html } = await received(to);
        arrivals.push({ by: `${name}, ${way}, ${part}`, From: From ?? '', Subject: Subject ?? '' });
        const wanted = ['orders@shop.example', to, undefined, `Hallo ${value}`, `<p>Grüße, ${value}</p>`];
        expect([From, To, Cc, Subject, html]).toEqual(wanted);
      });
      await Promise.all(filled);
    });
  });
}
