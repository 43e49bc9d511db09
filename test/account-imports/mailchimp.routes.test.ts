// Tests imports of Mailchimp exports: archives of an account and of an audience, and single files.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { translateMailchimpTemplate } from '../../src/account-imports/dialects/mailchimp-templates.rules.js';
import { templateProblem } from '../../src/lib/templating/index.js';
import { countOf } from '../support/account-import-rig.js';
import { interrupt, startAccountUploadRig, type AccountUploadRig } from '../support/account-upload-rig.js';
import { zipOf } from '../support/mailed-reports.js';

let rig: AccountUploadRig;
beforeEach(async () => {
  rig = await startAccountUploadRig();
});
afterEach(() => rig.close());

const SYSTEM =
  'MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS';
const SUBSCRIBED = `"Email Address","First Name","Last Name",Address,"Phone Number",Birthday,${SYSTEM}
ann@x.example,Ann,Miller,"1 Main St  Bremen",+49 421 1,05/24,4,"2024-02-01 09:00:00",192.0.2.20,"2024-02-01 09:05:00",192.0.2.20,53.07,8.80,1,2,Europe/Berlin,DE,HB,"2025-01-01 00:00:00",1001,a1,Likes tea,"""VIP"",""Blog, weekly"""
bob@x.example,Bob,,,,,2,,,"2024-03-01 10:00:00",,,,,,,,,"2024-03-01 10:00:00",1002,a2,,
`;
const UNSUBSCRIBED = `"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER,LEID,EUID,NOTES,TAGS
cid@x.example,Cid,Gone,2,"2024-02-01 09:00:00","2025-05-05 12:00:00",May,abc,NORMAL,,1003,a3,,
`;
const CLEANED = `"Email Address","First Name",MEMBER_RATING,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID,LEID,EUID
dan@x.example,Dan,1,"2025-05-05 12:00:00",May,abc,1004,a4
`;
const NONSUBSCRIBED = `"Email Address","First Name",MEMBER_RATING,LEID,EUID
eve@x.example,Eve,1,1005,a5
`;
const TEMPLATE =
  '<html><head><title>*|MC:SUBJECT|*</title></head><body mc:edit="body"><p mc:label=\'x\'>Hi *|FNAME|*</p>*|IF:CITY|*<b>*|CITY|*</b>*|ELSE:|*you*|END:IF|*<a href="*|UNSUB|*">Leave</a> *|HTML:LIST_ADDRESS_HTML|*</body></html>';

const file = (name: string, content: string | Uint8Array) => ({ name, content: Buffer.from(content) });
const audience = (...more: { name: string; content: Uint8Array }[]) =>
  zipOf([
    file('audience_export_1a10653875/subscribed_email_audience_export_1a10653875.csv', SUBSCRIBED),
    file('audience_export_1a10653875/unsubscribed_email_audience_export_1a10653875.csv', UNSUBSCRIBED),
    file('audience_export_1a10653875/cleaned_email_audience_export_1a10653875.csv', CLEANED),
    file('audience_export_1a10653875/nonsubscribed_email_audience_export_1a10653875.csv', NONSUBSCRIBED),
    ...more,
  ]);

const FOUND = [
  ['suppressions', 2],
  ['lists', 1],
  ['contacts', 4],
  ['templates', 0],
] as const;
const counts = (field: string) => FOUND.map(([kind, n]) => countOf(kind, n, { [field]: n }));

describe('an audience export', () => {
  it('becomes suppressions, a list and contacts, and a second import changes nothing', async () => {
    const job = await rig.imported('mailchimp', audience(), '&name=Tea%20friends');
    expect(job).toMatchObject({ status: 'completed', counts: counts('created') });
    const contacts = new Map((await rig.all('/v1/contacts')).map((one) => [one['email'], one]));
    expect(contacts.get('ann@x.example')).toMatchObject({
      ...{ name: 'Ann Miller', phone: '+49 421 1', status: 'active', tags: ['VIP', 'Blog, weekly'] },
      metadata: { Address: '1 Main St  Bremen', Birthday: '05/24', notes: 'Likes tea' },
    });
    expect(contacts.get('cid@x.example')).toMatchObject({
      status: 'unsubscribed',
      metadata: { unsubscribed_at: '2025-05-05 12:00:00' },
    });
    expect(contacts.get('eve@x.example')).toMatchObject({ status: 'active' });
    expect(contacts.has('dan@x.example')).toBe(false);
    const reasons = (await rig.all('/v1/suppressions')).map(({ email, reason }) => [email, reason]);
    expect(reasons.toSorted()).toEqual([
      ['cid@x.example', 'unsubscribe'],
      ['dan@x.example', 'bounce'],
    ]);
    const [list] = await rig.all('/v1/lists');
    expect(list).toMatchObject({ name: 'Tea friends' });
    const members = await rig.all(`/v1/lists/${String(list?.['id'])}/contacts`);
    expect(members.map(({ email }) => email).toSorted()).toEqual(['ann@x.example', 'bob@x.example']);
    const [consent] = await rig.program.raw(
      `SELECT actor, source, ip, occurred_at FROM consents WHERE actor = 'recipient'`,
    );
    expect(consent).toEqual({
      ...{ actor: 'recipient', source: 'Mailchimp', ip: '192.0.2.20' },
      occurred_at: Date.parse('2024-02-01T09:00:00Z'),
    });

    const again = await rig.imported('mailchimp', audience(), '&name=Tea%20friends');
    expect(again.counts).toEqual(counts('unchanged'));
    expect(await rig.stored()).toEqual({ bytes: 0, imports: 2 });
  });

  it('leaves out people who subscribed to text messages only', async () => {
    const sms = file('audience_export_1a10653875/subscribed_sms_audience_export_1a10653875.csv', SUBSCRIBED);
    const job = await rig.imported('mailchimp', zipOf([sms]));
    expect(job.counts).toContainEqual(countOf('contacts', 1, { left_out: 1 }));
    expect(await rig.report(job.id)).toContain('The file contains SMS marketing contacts');
  });

  it('is only checked by a dry run', async () => {
    const job = await rig.imported('mailchimp', audience(), '&dry_run=true');
    expect(job.counts).toEqual(counts('created'));
    for (const path of ['/v1/contacts', '/v1/lists', '/v1/suppressions'])
      expect(await rig.all(path)).toEqual([]);
  });

  it('continues after a restart, and creates nothing twice', async () => {
    const rows = Array.from({ length: 900 }, (_, i) => `p${i}@y.example,P,${i}`).join('\n');
    const many = `Email Address,First Name,LEID\n${rows}\n`;
    await rig.program.parts.api.audience.accountImports.stop();
    const id = await rig.begun(
      'mailchimp',
      zipOf([file('subscribed_email_audience_export_1a10653875.csv', many)]),
    );
    await rig.program.restart();
    rig.work();
    await interrupt(rig);
    const job = await rig.ended(id);
    expect(job).toMatchObject({ status: 'completed' });
    expect(job.counts).toContainEqual(countOf('contacts', 900, { created: 900 }));
    expect(await rig.all('/v1/lists')).toMatchObject([{ name: 'Mailchimp' }]);
  });
});

describe('an account export', () => {
  const account = zipOf([
    file('lists/Tea_friends/subscribed_members_export_0e31a6fce9.csv', SUBSCRIBED),
    file('lists/Tea_friends/unsubscribed_members_export_0e31a6fce9.csv', UNSUBSCRIBED),
    file(
      'lists/Coffee/subscribed_members_export_0e31a6fce9.csv',
      SUBSCRIBED.replaceAll('x.example', 'y.example'),
    ),
    file('campaigns.csv', 'a,b\n1,2\n'),
    file('reports/granular_activity/opens.csv', 'Email\nzoe@x.example\n'),
    file('templates/12_Welcome.html', TEMPLATE),
    file('templates/13_Old.html', '<p>\n*|LIST:COMPANY|*\n*|IF:AGE > 20|*x*|END:IF|*</p>'),
  ]);

  it('has several audiences, which cannot have one name', async () => {
    const answer = await rig.upload('mailchimp', account, '&name=Tea');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('has several audiences');
  });

  it('has several audiences and the templates', async () => {
    const job = await rig.imported('mailchimp', account);
    expect(job.counts).toEqual([
      countOf('suppressions', 1, { created: 1 }),
      countOf('lists', 2, { created: 2 }),
      countOf('contacts', 5, { created: 5 }),
      countOf('templates', 2, { created: 1, left_out: 1 }),
    ]);
    expect((await rig.all('/v1/lists')).map(({ name }) => name).toSorted()).toEqual([
      'Coffee',
      'Tea friends',
    ]);
    const [template] = await rig.all('/v1/templates');
    const { json } = await rig.program.ask('GET', `/v1/templates/${String(template?.['id'])}`);
    expect(json).toMatchObject({
      name: '12_Welcome',
      html: '<html><head><title></title></head><body><p>Hi {{first_name}}</p>{{#if CITY}}<b>{{CITY}}</b>{{else}}you{{/if}}<a href="{{unsubscribe_url}}">Leave</a> </body></html>',
    });
    const report = await rig.report(job.id);
    expect(report).toContain('templates,templates/13_Old.html,13_Old,2,');
    expect(report).toContain(',3,The condition is not a single field: *|IF:AGE > 20|*.');
  });
});

describe('other names of files', () => {
  it.each([
    ['lists/members_Tea_0e31a6fce9.csv', SUBSCRIBED, 'Tea', ['active', 'active']],
    ['lists/Tea-unsubscribed.csv', UNSUBSCRIBED, 'Tea', ['unsubscribed']],
    ['lists/Tea/non-subscribed.csv', NONSUBSCRIBED, 'Tea', ['active']],
    ['lists/Tea/transactional_members_export.csv', NONSUBSCRIBED, 'Tea', ['active']],
    ['lists/Tea.csv', UNSUBSCRIBED, 'Tea', ['unsubscribed']],
    ['lists/Tea (cleaned).csv', CLEANED, 'Tea', []],
  ])('%s tells the audience and the status', async (name, content, list, statuses) => {
    await rig.imported('mailchimp', zipOf([file(name, content)]));
    expect(await rig.all('/v1/lists')).toMatchObject([{ name: list }]);
    expect((await rig.all('/v1/contacts')).map(({ status }) => status)).toEqual(statuses);
    const members = (await rig.all('/v1/lists'))[0]?.['contacts'];
    expect(members).toBe(name.includes('members_Tea') ? 2 : 0);
  });

  it('in the folder of lists are reported if they have no addresses', async () => {
    const job = await rig.imported('mailchimp', zipOf([file('lists/stats.csv', 'a,b\n1,2\n')]));
    expect(job.counts).toContainEqual(countOf('contacts', 1, { left_out: 1 }));
    expect(await rig.report(job.id)).toContain(
      'lists/stats.csv,,The file has no column with email addresses.',
    );
  });
});

describe('a single file', () => {
  it('is read in its encoding, and its columns determine the status of its people', async () => {
    const german = UNSUBSCRIBED.replace('Cid', 'Jürgen').replace('"Email Address"', 'E-Mail-Adresse');
    const latin = Buffer.from(german, 'latin1');
    expect((await rig.imported('mailchimp', latin)).counts).toContainEqual(
      countOf('contacts', 1, { created: 1 }),
    );
    expect(await rig.all('/v1/contacts')).toMatchObject([{ name: 'Jürgen Gone', status: 'unsubscribed' }]);
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(german, 'utf16le')]);
    expect((await rig.imported('mailchimp', wide)).counts).toContainEqual(
      countOf('contacts', 1, { unchanged: 1 }),
    );
  });

  it('leaves out rows that cannot be read, with the reason', async () => {
    const cut = `${SUBSCRIBED}not an address,X\nzoe@x.example,"Z`;
    const job = await rig.imported('mailchimp', cut);
    expect(job.counts).toContainEqual(countOf('contacts', 4, { created: 2, left_out: 2 }));
    const report = await rig.report(job.id);
    expect(report).toContain('The quotation marks of the row do not match.');
  });
});

describe('a file that is not a Mailchimp export', () => {
  const bomb = zipOf([{ ...file('subscribed_members_export_1.csv', SUBSCRIBED), claimedBytes: 0xfffffff0 }]);

  it.each([
    ['another CSV file', 'email,name\nann@x.example,Ann\n', 'is not a Mailchimp export'],
    ['an empty file', '', 'is empty'],
    ['another archive', zipOf([file('a.txt', 'x')]), 'is not a Mailchimp export'],
    ['a truncated archive', audience().subarray(0, -30), 'is not a readable zip archive'],
    ['a path that leaves the archive', audience(file('../evil.csv', 'x')), 'is not a readable zip archive'],
    ['an archive that claims to be huge', bomb, 'is too large when unpacked'],
  ])('refuses %s and stores nothing', async (_name, content, problem) => {
    const answer = await rig.upload('mailchimp', content);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(problem);
    expect(await rig.stored()).toEqual({ bytes: 0, imports: 0 });
  });
});

describe('a template of Mailchimp', () => {
  it.each([
    ['*|FNAME|* *|LNAME|* *|EMAIL|* *|MMERGE7|*', '{{first_name}} {{last_name}} {{email}} {{MMERGE7}}'],
    ['*|IFNOT:VIP|*a*|ELSEIF:CITY|*b*|END:IF|*', '{{#unless VIP}}a{{else if CITY}}b{{/unless}}'],
    [
      '<td mc:edit="a" mc:hideable class="x">*|UPDATE_PROFILE|*</td>',
      '<td class="x">{{unsubscribe_url}}</td>',
    ],
    ['{{literal}}', '\\{{literal}}'],
  ])('%s becomes %s', (source, wanted) => {
    expect(translateMailchimpTemplate(source)).toEqual({ text: wanted, problems: [] });
    expect(templateProblem(wanted, 'html')).toBeNull();
  });
});
