// Tests the Postmark client against the running program. Only the host and the key differ.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Errors, Models, ServerClient } from 'postmark';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';
import { waitFor } from '../support/wait.js';

let appliance: Appliance;
let postmark: ServerClient;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
  postmark = clientWith(appliance.keys.test_key);
});
afterAll(() => appliance.close());

function clientWith(key: string): ServerClient {
  return new ServerClient(key, {
    useHttps: false,
    requestHost: `${appliance.url.slice('http://'.length)}/compat/postmark`,
  });
}

let count = 0;
const mail = (more: Partial<Models.Message> = {}): Models.Message => ({
  ...{ From: 'news@shop.example', To: `delivered+${count++}@simulator.example` },
  ...{ Subject: 'Hello', HtmlBody: '<p>Hello</p>', ...more },
});

/** The client's error for a refusal. */
async function refusalOf(asked: Promise<unknown>): Promise<Errors.PostmarkError> {
  const error: unknown = await asked.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Errors.PostmarkError);
  return error as Errors.PostmarkError;
}

describe('an email', () => {
  it('is sent with every field, and read', async () => {
    const sent = await postmark.sendEmail(
      mail({
        ...{
          From: '"News, daily" <news@shop.example>',
          To: '"Smith, Ann" <ann@example.com>, bob@example.com',
        },
        ...{
          Cc: 'carl@example.com',
          Bcc: 'dora@example.com',
          ReplyTo: 'help@shop.example',
          TextBody: 'Hello',
        },
        ...{ Tag: 'welcome', TrackOpens: true, TrackLinks: Models.LinkTrackingOptions.HtmlAndText },
        Headers: [{ Name: 'X-Order', Value: '4711' }],
        Attachments: [
          {
            Name: 'a.txt',
            Content: 'ZmlsZQ==',
            ContentType: 'text/plain',
            ContentID: 'cid:a',
          },
        ],
        ...{ Metadata: { order: '4711' }, MessageStream: 'outbound' },
      }),
    );
    expect(sent).toMatchObject({
      ErrorCode: 0,
      Message: 'OK',
      To: '"Smith, Ann" <ann@example.com>, bob@example.com',
    });
    const read = await postmark.getOutboundMessageDetails(sent.MessageID);
    expect(read).toMatchObject({
      ...{
        MessageID: sent.MessageID,
        Tag: 'welcome',
        Subject: 'Hello',
        HtmlBody: '<p>Hello</p>',
        TextBody: 'Hello',
      },
      To: [
        { Email: 'ann@example.com', Name: 'Smith, Ann' },
        { Email: 'bob@example.com', Name: null },
      ],
      ...{ Metadata: { order: '4711' }, Attachments: ['a.txt'], TrackOpens: true, TrackLinks: 'HtmlOnly' },
    });
    expect((await postmark.getOutboundMessageDump(sent.MessageID)).Body).toContain('X-Order: 4711');
  });

  it('is delivered, with the right events', async () => {
    const { MessageID } = await postmark.sendEmail(mail());
    const ask = () => postmark.getOutboundMessageDetails(MessageID);
    await waitFor('the event of delivery', ask, ({ MessageEvents: events }) =>
      events.some((one) => one.Type === 'Delivered'),
    );
  });

  it('is found by tag and recipient, in pages', async () => {
    for (let i = 0; i < 3; i++) await postmark.sendEmail(mail({ Tag: 'found' }));
    const all = await postmark.getOutboundMessages({ tag: 'found' });
    expect([Number(all.TotalCount), all.Messages.length]).toEqual([3, 3]);
    const { Messages: second } = await postmark.getOutboundMessages({ tag: 'found', count: 1, offset: 1 });
    expect(second[0]?.MessageID).toBe(all.Messages[1]?.MessageID);
    const [recipient = ''] = all.Messages[2]?.Recipients ?? [];
    expect(
      (await postmark.getOutboundMessages({ recipient, fromEmail: 'news@shop.example' })).Messages,
    ).toHaveLength(1);
  });

  it('is sent in a batch, with a result for each', async () => {
    const answers = await postmark.sendEmailBatch([
      mail(),
      mail({ To: 'nonsense' }),
      mail({ MessageStream: 'mine' }),
      mail(),
    ]);
    expect(answers.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300, 300, 0]);
    expect(answers[3]).toMatchObject({ Message: 'OK', MessageID: expect.stringMatching(/^msg_/) as string });
    expect(answers[2]?.Message).toMatch(/^MessageStream: custom streams are not supported/);
  });

  it('to an inactive recipient returns a specific error', async () => {
    await postmark.createSuppressions('outbound', { Suppressions: [{ EmailAddress: 'gone@example.com' }] });
    const error = await refusalOf(postmark.sendEmail(mail({ To: 'gone@example.com' })));
    expect(error).toBeInstanceOf(Errors.InactiveRecipientsError);
    expect((error as Errors.InactiveRecipientsError).recipients).toEqual(['gone@example.com']);
    expect([error.code, error.statusCode, error.message]).toEqual([
      406,
      422,
      'You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: gone@example.com. ' +
        'Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.',
    ]);
  });

  it('names the inactive recipients among several', async () => {
    const Suppressions = ['off@example.com', 'out@example.com'].map((EmailAddress) => ({ EmailAddress }));
    await postmark.createSuppressions('outbound', { Suppressions });
    const answer = await postmark.sendEmail(mail({ Cc: 'off@example.com', Bcc: 'out@example.com' }));
    expect([answer.ErrorCode, answer.Message]).toEqual([
      0,
      'Message OK, but will not deliver to these inactive addresses: off@example.com, out@example.com',
    ]);
    expect(Errors.InactiveRecipientsError.parseInactiveRecipients(answer.Message)).toEqual([
      'off@example.com',
      'out@example.com',
    ]);
    const all = mail({ To: 'off@example.com', Cc: 'out@example.com' });
    const error = await refusalOf(postmark.sendEmail(all));
    expect((error as Errors.InactiveRecipientsError).recipients).toEqual([
      'off@example.com',
      'out@example.com',
    ]);
  });

  it('has an entry with error 406 in a batch for each inactive recipient', async () => {
    await postmark.createSuppressions('outbound', { Suppressions: [{ EmailAddress: 'left@example.com' }] });
    const wanted = [
      mail(),
      mail({ To: 'left@example.com' }),
      mail({ MessageStream: 'mine' }),
      mail({ Cc: 'left@example.com' }),
    ];
    const answers = await postmark.sendEmailBatch(wanted);
    expect(answers.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 406, 300, 0]);
    expect(answers[1]).toEqual({
      ErrorCode: 406,
      Message: expect.stringContaining('Found inactive addresses: left@example.com. Inactive') as string,
    });
    expect(answers[3]?.Message).toBe(
      'Message OK, but will not deliver to these inactive addresses: left@example.com',
    );
  });

  it('to an inactive recipient returns the same response when it is repeated', async () => {
    await postmark.createSuppressions('outbound', { Suppressions: [{ EmailAddress: 'twice@example.com' }] });
    const send = async () => {
      const response = await fetch(`${appliance.url}/compat/postmark/email`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'idempotency-key': 'inactive-1' },
          'x-postmark-server-token': appliance.keys.test_key,
        },
        body: JSON.stringify({
          From: 'news@shop.example',
          To: 'twice@example.com',
          Subject: 's',
          TextBody: 'x',
        }),
      });
      return [response.status, ((await response.json()) as { ErrorCode: number }).ErrorCode];
    };
    expect([await send(), await send()]).toEqual([
      [422, 406],
      [422, 406],
    ]);
  });
});

describe('templates', () => {
  it('are created, read, changed, listed, tested, sent and removed', async () => {
    const made = await postmark.createTemplate({
      ...{ Name: 'Welcome', Alias: 'welcome', Subject: 'Hello {{name}}' },
      HtmlBody: '<p>{{name}}{{#each items}}, {{this}}{{/each}}</p>',
    });
    expect(made).toMatchObject({ Alias: 'welcome', Active: true });
    await postmark.editTemplate('welcome', { Subject: 'Good day {{name}}' });
    expect(await postmark.getTemplate('welcome')).toMatchObject({
      Name: 'Welcome',
      Subject: 'Good day {{name}}',
    });
    expect((await postmark.getTemplates()).Templates.map(({ Alias }) => Alias)).toEqual(['welcome']);
    const tried = await postmark.validateTemplate({
      ...{ Subject: '{{name}}', HtmlBody: '<p>{{#if}}</p>', TestRenderModel: { name: 'Ann' } },
    });
    expect(tried).toMatchObject({
      AllContentIsValid: false,
      Subject: { ContentIsValid: true, RenderedContent: 'Ann' },
    });
    const { From, To } = mail();
    const templated = {
      From,
      To: To ?? '',
      TemplateAlias: 'welcome',
      TemplateModel: { name: 'Ann', items: ['b', 'c'] },
    };
    const { MessageID } = await postmark.sendEmailWithTemplate(templated);
    const details = await postmark.getOutboundMessageDetails(MessageID);
    expect(details).toMatchObject({ Subject: 'Good day Ann', HtmlBody: '<p>Ann, b, c</p>' });
    const batch = await postmark.sendEmailBatchWithTemplates([
      templated,
      { ...templated, TemplateAlias: 'none' },
    ]);
    expect(batch.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 1101]);
    await postmark.deleteTemplate('welcome');
    expect(await refusalOf(postmark.getTemplate('welcome'))).toMatchObject({ code: 1101, statusCode: 422 });
  });
});

describe('opens and clicks of a message', () => {
  it('are listed, newest first, with the link and the time', async () => {
    const HtmlBody = '<p><a href="https://shop.example/orders">Orders</a></p>';
    const { MessageID } = await postmark.sendEmail(
      mail({
        ...{ To: 'clicked@simulator.example', HtmlBody, Tag: 'orders', TrackOpens: true },
        TrackLinks: Models.LinkTrackingOptions.HtmlOnly,
      }),
    );
    const opensOf = () => postmark.getMessageOpensForSingleMessage(MessageID);
    const clicks = await waitFor(
      'the click',
      () => postmark.getMessageClicksForSingleMessage(MessageID),
      ({ TotalCount }) => TotalCount === 1,
    );
    expect(clicks.Clicks).toMatchObject([
      {
        ...{ MessageID, Recipient: 'clicked@simulator.example', Tag: 'orders', MessageStream: 'outbound' },
        ...{ OriginalLink: 'https://shop.example/orders', ClickLocation: 'HTML' },
        ReceivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
    const { test_key: key } = appliance.keys;
    const body = { event: 'opened' };
    const simulated = await appliance.api('POST', `/v1/messages/${MessageID}/simulate`, { key, body });
    expect(simulated.status, simulated.text).toBe(200);
    const { TotalCount, Opens } = await opensOf();
    expect(TotalCount).toBeGreaterThan(1);
    expect(Opens).toMatchObject([
      ...Array.from({ length: TotalCount - 1 }, () => ({ FirstOpen: false })),
      { FirstOpen: true },
    ]);
    expect((await postmark.getMessageOpensForSingleMessage(MessageID, { count: 1 })).Opens).toEqual(
      Opens.slice(0, 1),
    );
    const unknown = postmark.getMessageOpensForSingleMessage('msg_01k0000000000000000000000x');
    expect(await refusalOf(unknown)).toMatchObject({ code: 701 });
  });
});

describe('bounces and suppressions', () => {
  it('are listed, read and reactivated', async () => {
    const { MessageID } = await postmark.sendEmail(mail({ To: 'bounced@simulator.example', Tag: 'back' }));
    const ask = () => postmark.getBounces({ tag: 'back' });
    const { Bounces } = await waitFor('the bounce', ask, ({ TotalCount }) => TotalCount === 1);
    const [bounce] = Bounces;
    expect(bounce).toMatchObject({
      Type: 'HardBounce',
      TypeCode: 1,
      MessageID,
      Email: 'bounced@simulator.example',
    });
    const id = bounce?.ID ?? 0;
    expect(await postmark.getBounce(id)).toEqual(bounce);
    const Suppressed = { Suppressions: [{ EmailAddress: 'bounced@simulator.example' }] };
    await postmark.createSuppressions('outbound', Suppressed);
    const wanted = { emailAddress: 'bounced@simulator.example' } as never;
    const { Suppressions } = await postmark.getSuppressions('outbound', wanted);
    expect(Suppressions.map(({ EmailAddress }) => EmailAddress)).toEqual(['bounced@simulator.example']);
    expect(await postmark.activateBounce(id)).toMatchObject({ Message: 'OK', Bounce: { Inactive: false } });
    expect((await postmark.getSuppressions('outbound', wanted)).Suppressions).toEqual([]);
    expect(await refusalOf(postmark.getBounce(7))).toMatchObject({ code: 407 });
  });

  it('are summed', async () => {
    const count = async () =>
      (await postmark.getDeliveryStatistics()).Bounces.find(({ Type }) => Type === 'HardBounce');
    await waitFor('the bounce to be counted', count, (found) => found?.Count === 1);
    expect((await postmark.getOutboundOverview()).Bounced).toBe(1);
    expect((await postmark.getSentCounts()).Sent).toBeGreaterThan(1);
  });

  it('are added and removed individually', async () => {
    const wanted = { Suppressions: [{ EmailAddress: 'one@example.com' }, { EmailAddress: 'nonsense' }] };
    const added = await postmark.createSuppressions('outbound', wanted);
    expect(added.Suppressions.map(({ Status }) => Status)).toEqual(['Suppressed', 'Failed']);
    const removed = await postmark.deleteSuppressions('outbound', {
      Suppressions: [{ EmailAddress: 'one@example.com' }],
    });
    expect(removed.Suppressions).toEqual([
      { EmailAddress: 'one@example.com', Status: 'Deleted', Message: null },
    ]);
  });
});

describe('unsupported features', () => {
  const refused: [string, () => Promise<unknown>, object, RegExp][] = [
    [
      'a wrong key',
      () => clientWith('svc_test_nonsense').sendEmail(mail()),
      { code: 10, statusCode: 401 },
      /unknown/,
    ],
    [
      'a number for a template',
      () =>
        postmark.sendEmailWithTemplate({
          From: 'a@shop.example',
          To: 'b@example.com',
          TemplateId: 7,
          TemplateModel: {},
        }),
      { code: 300, statusCode: 422 },
      /^TemplateId: templates do not have numeric IDs/,
    ],
    [
      'a recipient that is none',
      () => postmark.sendEmail(mail({ To: 'nonsense' })),
      { code: 300, statusCode: 422 },
      /^To/,
    ],
    [
      'a field that is not known',
      () => postmark.sendEmail({ ...mail(), Subjekt: 'x' } as Models.Message),
      { code: 300, statusCode: 422 },
      /^Subjekt: is not a known field. Did you mean Subject/,
    ],
    [
      'a foreign sender',
      () => clientWith(appliance.keys.live_key).sendEmail(mail({ From: 'me@elsewhere.example' })),
      { code: 400, statusCode: 422 },
      /./,
    ],
    [
      'an operation that is not there',
      () => postmark.getInboundRuleTriggers(),
      { statusCode: 404 },
      /does not support GET/,
    ],
  ];
  it.each(refused)("%s is refused in the vendor's error format", async (_, ask, expected, sentence) => {
    const error = await refusalOf(ask());
    expect(error).toMatchObject(expected);
    expect(error.message).toMatch(sentence);
  });
});
