// Tests `mailkeel admin classify`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/admin/program.js';
import { fixedClock } from '../support/fixed-clock.js';
import { temporaryFolder } from '../support/open-engines.js';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

async function classify(args: string[], isTTY = false) {
  let stdout = '';
  let stderr = '';
  const code = await runCommandLine(['admin', 'classify', ...args], {
    stdout: { write: (text) => (stdout += text), isTTY },
    stderr: { write: (text) => (stderr += text) },
    readStdin: () => Promise.resolve(''),
    loadConfig: () => {
      throw new Error('It needs no configuration.');
    },
    clock: fixedClock().now,
    exitCode: 0,
  });
  return { code, stdout, stderr, json: (stdout.startsWith('{') ? JSON.parse(stdout) : null) as unknown };
}

function file(name: string, content: unknown): string {
  const path = join(folder.path, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('mailkeel admin classify', () => {
  it('explains the effect of a message, and the deciding rule', async () => {
    const { code, json } = await classify(['--code', '550', '--text', '5.1.1 user unknown']);
    expect(code).toBe(0);
    expect(json).toEqual({
      disposition: 'fail',
      category: 'invalid_recipient',
      suppress: true,
      suppress_when_repeated: false,
      type: 'hard',
      by: 'enhanced 1.1',
      pattern: null,
      phase: 'rcpt',
      code: 550,
      enhanced_code: '5.1.1',
      provider: null,
      retry_hint_seconds: null,
    });
  });

  it.each<[string[], object]>([
    [
      ['--text', '250 2.0.0 queued', '--phase', 'dot'],
      { disposition: 'delivered', type: null, by: 'success' },
    ],
    [['--text', '550 rejected'], { category: 'unknown', suppress: false, by: 'basic 550' }],
    [
      ['--text', '451-4.7.1 Greylisted,\r\n451 4.7.1 try again in 300 seconds'],
      {
        disposition: 'retry',
        category: 'greylist',
        retry_hint_seconds: 300,
        code: 451,
        enhanced_code: '4.7.1',
      },
    ],
    [
      ['--code', '550', '--text', '5.1.10 RESOLVER.ADR.RecipientNotFound', '--provider', 'microsoft_365'],
      { category: 'invalid_recipient', provider: 'microsoft_365' },
    ],
    [
      ['--code', '450', '--text', 'no', '--mx', 'aspmx.l.google.com, alt1.aspmx.l.google.com'],
      { category: 'unknown', provider: 'google' },
    ],
    [['--code', '450', '--text', 'no', '--mx', 'aspmx.l.google.com,mx.example.com'], { provider: null }],
  ])('%j', async (args, expected) => {
    const { code, json } = await classify(args);
    expect(code).toBe(0);
    expect(json).toMatchObject(expected);
  });

  it('shows the rule on a terminal', async () => {
    const { stdout } = await classify(['--text', '450 4.2.0 Greylisted for 5 minutes'], true);
    expect(stdout).toMatch(/^disposition +retry\ncategory +greylist\n/);
    expect(stdout).toContain('300 s');
    expect(stdout).toMatch(/matched by +first\[\d+\]: \\bgr/);
  });

  it.each([
    [['--text', 'user unknown'], 'that starts with a reply code'],
    [['--code', '150', '--text', 'x'], 'number from 200 to 599'],
    [['--code', '550', '--phase', 'lunch'], 'Allowed choices'],
    [['--code', '550', '--provider', 'google', '--mx', 'a.example'], 'cannot be used with'],
  ])('exits with 2 for %j', async (args, message) => {
    const { code, stderr } = await classify(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('exits with 1 for an unknown provider', async () => {
    const { code, stderr } = await classify(['--code', '550', '--provider', 'nobody']);
    expect(code).toBe(1);
    expect(stderr).toContain('Unknown provider: nobody. Known providers: google');
  });
});

describe('mailkeel admin classify --check', () => {
  const rule = { pattern: 'our own words', category: 'policy', provider: 'ours' };

  it('accepts the shipped files', async () => {
    const { code, json, stderr } = await classify(['--check']);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(json).toMatchObject({ ok: true, problems: [] });
  });

  it('accepts other files, for a check and for a classification', async () => {
    const rules = file('rules.json', { first: [rule], enhanced: {}, texts: [] });
    const providers = file('providers.json', { ours: ['mx.example.com'] });
    const own = ['--rules', rules, '--providers', providers];
    expect(await classify(['--check', ...own], true)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Rules are valid: 1 rules, 0 enhanced codes, 1 providers, \d+ bounce formats, \d+ attributions\.\n$/,
      ) as string,
    });
    const answer = await classify(['--text', '550 our own words', '--mx', 'a.mx.example.com', ...own]);
    expect(answer.json).toMatchObject({ category: 'policy', by: 'first[0]', pattern: 'our own words' });
  });

  it('exits with 9 and every error', async () => {
    const rules = file('rules.json', {
      first: [rule],
      enhanced: { '5.1.1': 'policy' },
      texts: [{ pattern: 'a+' }],
    });
    const { code, json } = await classify(['--check', '--rules', rules]);
    expect(code).toBe(9);
    const { problems } = json as { problems: string[] };
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).toContain('first[0].provider refers to an unknown provider');
    const notJson = await classify(['--check', '--providers', file('p.json', '{'), '--rules', rules]);
    expect(notJson.code).toBe(9);
  });
});

describe('mailkeel admin classify --mail', () => {
  const corpus = (name: string): string => fileURLToPath(new URL(`../corpus/${name}`, import.meta.url));

  it('explains the effect of a bounce', async () => {
    const { code, json } = await classify(['--mail', corpus('bounces/005-postfix-user-unknown.eml')]);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      kind: 'bounce',
      outcome: 'bounced',
      category: 'invalid_recipient',
      type: 'hard',
      suppress: true,
      format: 'standard',
      code: 550,
      auto_reply: 'report',
      problems: [],
    });
  });

  it('distinguishes a report about another recipient', async () => {
    const mail = ['--mail', corpus('bounces/005-postfix-user-unknown.eml')];
    const { json } = await classify([...mail, '--recipient', 'somebody@else.example']);
    expect(json).toMatchObject({ kind: 'bounce', outcome: 'bounced', suppress: false });
  });

  it('recognizes complaints, automatic replies and replies', async () => {
    const complaint = file(
      'arf.eml',
      [
        'From: <abuse@isp.example>',
        'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
        'MIME-Version: 1.0',
        '',
        '--b',
        'Content-Type: message/feedback-report',
        '',
        'Feedback-Type: abuse',
        'User-Agent: Example/1',
        'Version: 1',
        'Original-Rcpt-To: ann@isp.example',
        '',
        '--b--',
        '',
      ].join('\r\n'),
    );
    expect((await classify(['--mail', complaint, '--to', 'feedback'])).json).toMatchObject({
      kind: 'complaint',
      outcome: 'complaint',
      suppress: true,
      recipients: ['ann@isp.example'],
    });
    const away = file(
      'away.eml',
      'From: <ann@isp.example>\r\nSubject: Away\r\nAuto-Submitted: auto-replied\r\n\r\nx\r\n',
    );
    expect((await classify(['--mail', away])).json).toMatchObject({ kind: 'ignored', outcome: 'automatic' });
    expect((await classify(['--mail', away, '--to', 'reply'])).json).toMatchObject({
      kind: 'reply',
      outcome: 'auto_reply',
      auto_reply: 'vacation',
      suppress: false,
    });
    const person = file(
      'person.eml',
      'Return-Path: <ann@isp.example>\r\nFrom: <ann@isp.example>\r\nSubject: Re: x\r\n\r\nx\r\n',
    );
    expect((await classify(['--mail', person, '--to', 'reply'])).json).toMatchObject({
      outcome: 'reply',
      auto_reply: null,
    });
    const kept = file('kept.eml', 'From: <ann@isp.example>\r\nSubject: Re: x\r\n\r\nx\r\n'); // as `admin inbound save` writes it
    expect((await classify(['--mail', kept, '--to', 'reply'])).json).toMatchObject({
      outcome: 'reply',
      auto_reply: null,
    });
    expect((await classify(['--mail', person, '--to', 'unsubscribe'])).json).toMatchObject({
      kind: 'unsubscribe',
      suppress: true,
    });
  });

  it('accepts own rules, and shows the verdict on a terminal', async () => {
    const dsnRules = file('dsn.json', { formats: [], hosts: [], originals: [], stops: [] });
    const mail = ['--mail', corpus('bounces/005-postfix-user-unknown.eml'), '--dsn-rules', dsnRules];
    expect((await classify(mail, true)).stdout).toMatch(
      /^kind +bounce\noutcome +bounced\ncategory +invalid_recipient\n/,
    );
  });

  it('exits with 2 in combination with a reply, and with 1 without the file', async () => {
    expect((await classify(['--mail', 'x.eml', '--text', '550 no'])).code).toBe(2);
    expect((await classify(['--mail', join(folder.path, 'none.eml')])).code).toBe(1);
  });
});

describe('mailkeel admin classify --check of the rules for mail', () => {
  it('exits with 9 and every error', async () => {
    const dsnRules = file('dsn.json', { formats: [{ name: 'x' }] });
    const replyRules = file('reply.json', { labels: { deutsch: {} } });
    const args = ['--check', '--dsn-rules', dsnRules, '--reply-rules', replyRules];
    const { code, json } = await classify(args);
    expect(code).toBe(9);
    const { problems } = json as { problems: string[] };
    expect(problems.join('\n')).toContain('formats[0].when');
    expect(problems.join('\n')).toContain('language code');
  });
});
