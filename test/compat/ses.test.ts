// Tests requests of Amazon SES clients against the running program, signed by aws4fetch. test/system sends with boto3.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTransport } from 'nodemailer';
import { SES } from '../../src/compat/ses/ses.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';
import {
  createSesCredentials,
  formOfAction,
  FORM,
  signSes,
  type SesCredentials,
} from '../support/ses-client.js';
import pinned from './vendor-operations/ses-actions.json' with { type: 'json' };

let appliance: Appliance;
let key: string;
let credentials: SesCredentials;

beforeAll(async () => {
  const env = { ...QUICK, MAILKEEL_PUBLIC_URL: 'https://mail.example.test/base' };
  appliance = await createAppliance({ process: 'shared', env });
  await appliance.start();
  key = appliance.keys.test_key;
  credentials = await createSesCredentials(appliance, key);
});
afterAll(() => appliance.close());

type Json = Record<string, unknown>;
interface Asked {
  headers?: Record<string, string>;
  as?: SesCredentials;
  signing?: Parameters<typeof signSes>[2];
  /** Changes the request after it was signed. */
  tamper?: (request: { url: string; headers: Record<string, string>; body: string | undefined }) => void;
}

async function ask(
  method: string,
  path: string,
  body?: string,
  { headers = {}, as = credentials, signing, tamper }: Asked = {},
) {
  const url = `${appliance.url}/compat/ses${path}`;
  const signed = await signSes(as, { method, url, headers, body }, signing);
  const sent = { url, headers: signed, body };
  tamper?.(sent);
  const answer = await fetch(sent.url, {
    method,
    headers: sent.headers,
    ...(sent.body === undefined ? {} : { body: sent.body }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Calls an operation of API v2; returns its response, or the name of its error. */
async function v2(method: string, path: string, body?: unknown, asked: Asked = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...asked.headers };
  const answer = await ask(method, `/v2/email${path}`, text, { ...asked, headers });
  expect(answer.headers.get('x-amzn-requestid')).toMatch(/^req_/);
  const json = JSON.parse(answer.text) as Json;
  return { status: answer.status, error: answer.headers.get('x-amzn-errortype'), json };
}

async function v1(action: string, parameters: object = {}, asked: Asked = {}) {
  const headers = { 'content-type': FORM };
  return ask('POST', '/', formOfAction(action, parameters), { ...asked, headers });
}

const element = (text: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '';

let count = 0;
const to = (): string => `delivered+${count++}@simulator.example`;
const FROM = 'Shop <news@shop.example>';
const simple = {
  Subject: { Data: 'Grüße' },
  Body: { Text: { Data: 'Hello' }, Html: { Data: '<p>{{x}}</p>' } },
};
const mail = (more: object = {}) => ({
  FromEmailAddress: FROM,
  Destination: { ToAddresses: [to()] },
  Content: { Simple: simple },
  ...more,
});
const send = (more: object = {}, asked: Asked = {}) => v2('POST', '/outbound-emails', mail(more), asked);

async function message(id: unknown, part = ''): Promise<Json> {
  const { json } = await appliance.api('GET', `/v1/messages/${String(id)}${part}`, { key });
  return json as Json;
}

describe('mail of API v2', () => {
  it('is sent with every field', async () => {
    const { status, json } = await send({
      Destination: {
        ToAddresses: ['Ann <ann@example.com>'],
        CcAddresses: ['cc@example.com'],
        BccAddresses: ['carl@example.com'],
      },
      ReplyToAddresses: ['help@elsewhere.example'],
      EmailTags: [{ Name: 'kind', Value: 'welcome' }],
      ConfigurationSetName: 'marketing',
      Content: {
        Simple: {
          ...simple,
          Headers: [{ Name: 'X-Order', Value: '4711' }],
          Attachments: [{ FileName: 'a.txt', RawContent: 'ZmlsZQ==', ContentType: 'text/plain' }],
        },
      },
    });
    expect(status).toBe(200);
    const { MessageId: id } = json;
    expect(await message(id)).toMatchObject({
      ...{ to: 'ann@example.com', subject: 'Grüße', tags: ['kind:welcome', 'configuration-set:marketing'] },
      ...{ reply_to: { email: 'help@elsewhere.example' }, attachments: [{ filename: 'a.txt', size: 4 }] },
    });
    expect(await message(id, '/content')).toMatchObject({
      ...{ html: '<p>{{x}}</p>', headers: { 'X-Order': '4711' } },
      cc: [{ email: 'cc@example.com' }],
    });
  });

  it('is accepted once, however often the client repeats its attempt', async () => {
    const headers = { 'amz-sdk-invocation-id': '4a4f' };
    const [first, second] = [
      await v2('POST', '/outbound-emails', mail({ Destination: { ToAddresses: ['a@example.com'] } }), {
        headers,
      }),
      await v2('POST', '/outbound-emails', mail({ Destination: { ToAddresses: ['a@example.com'] } }), {
        headers,
      }),
    ];
    expect(second.json).toEqual(first.json);
    expect((await send({}, { headers })).error).toBe('ConflictException');
  });

  it('is sent from a template to each entry, and refused for those that are invalid', async () => {
    const content = { Subject: 'Hi {{name}}', Html: '<p>{{name}}{{#if vip}}!{{/if}}</p>' };
    const made = await v2('POST', '/templates', { TemplateName: 'Hi-Bulk', TemplateContent: content });
    expect(made).toMatchObject({ status: 200, json: {} });
    const data = (name: string) => ({
      ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: JSON.stringify({ name }) } },
    });
    const { json } = await v2('POST', '/outbound-bulk-emails', {
      FromEmailAddress: FROM,
      DefaultEmailTags: [{ Name: 'a', Value: 'b' }],
      DefaultContent: { Template: { TemplateName: 'Hi-Bulk', TemplateData: '{"name":"Friend"}' } },
      BulkEmailEntries: [
        { Destination: { ToAddresses: [to()] }, ...data('<b>Ann</b>') },
        { Destination: { ToAddresses: [to()] }, ReplacementTags: [{ Name: 'c', Value: 'd' }] },
        { Destination: { ToAddresses: ['nonsense'] } },
      ],
    });
    const results = json['BulkEmailEntryResults'] as Json[];
    expect(results.map(({ Status: status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'INVALID_PARAMETER']);
    expect(results[2]?.['Error']).toContain('Destination.ToAddresses');
    const [ann, friend] = results.map(({ MessageId: id }) => id);
    expect(await message(ann, '/content')).toMatchObject({
      subject: 'Hi <b>Ann</b>',
      html: '<p><b>Ann</b></p>',
    });
    expect(await message(ann)).toMatchObject({ tags: ['a:b'] });
    expect(await message(friend, '/content')).toMatchObject({ subject: 'Hi Friend' });
    expect(await message(friend)).toMatchObject({ tags: ['c:d'] });
    const template = { TemplateName: 'hi-bulk', TemplateData: '{}' };
    expect(await send({ Content: { Template: template } })).toMatchObject({
      error: 'BadRequestException',
      json: { message: 'TemplateData.name: is required' },
    });
    expect((await send({ Content: { Template: { ...template, TemplateName: 'none' } } })).error).toBe(
      'NotFoundException',
    );
  });

  it('is sent as a MIME message to the recipients of the request, or of its header', async () => {
    const raw = (header: string): string =>
      Buffer.from(`From: ${FROM}\r\n${header}\r\nSubject: Raw\r\n\r\nHello\r\n`).toString('base64');
    const { json } = await v2('POST', '/outbound-emails', {
      FromEmailAddress: FROM,
      Destination: { ToAddresses: ['Ann <ann@example.com>'], BccAddresses: ['bcc@example.com'] },
      EmailTags: [{ Name: 'a', Value: 'b' }],
      Content: { Raw: { Data: raw('To: list@example.com') } },
    });
    const { MessageId: id } = json;
    expect(await message(id)).toMatchObject({ to: 'ann@example.com', subject: 'Raw', tags: ['a:b'] });
    const { text } = await appliance.api('GET', `/v1/messages/${String(id)}/raw`, { key });
    expect(text).toMatch(/^To: list@example.com\r$/m);
    const own = await v2('POST', '/outbound-emails', {
      Content: { Raw: { Data: raw('To: carl@example.com\r\nX-SES-CONFIGURATION-SET: main') } },
    });
    expect(await message(own.json['MessageId'])).toMatchObject({
      ...{ to: 'carl@example.com', tags: ['configuration-set:main'] },
    });
    const sent = await v1('SendRawEmail', {
      ...{ Source: FROM, Destinations: ['dora@example.com'], ConfigurationSetName: 'main' },
      RawMessage: { Data: raw('To: x@example.com') },
    });
    expect(await message(element(sent.text, 'MessageId'))).toMatchObject({
      ...{ to: 'dora@example.com', tags: ['configuration-set:main'] },
    });
    for (const more of [
      { ReplyToAddresses: ['a@example.com'] },
      { ListManagementOptions: { ContactListName: 'lst_x' } },
      { Content: { Raw: { Data: '%' } } },
      { Content: { Raw: { Data: raw('To: a@example.com') }, Simple: simple } },
    ]) {
      const refused = { Content: { Raw: { Data: raw('To: a@example.com') } }, ...more };
      expect((await v2('POST', '/outbound-emails', refused)).error).toBe('BadRequestException');
    }
  });

  it('is sent by the transport of nodemailer', async () => {
    interface Input {
      Content: { Raw: { Data: Buffer } };
    }
    class SendEmailCommand {
      readonly input: Input;
      constructor(input: Input) {
        this.input = input;
      }
    }
    /** Sends commands as the client of the AWS SDK does. */
    const sesClient = {
      async send({ input }: SendEmailCommand): Promise<Json> {
        const Raw = { Data: input.Content.Raw.Data.toString('base64') };
        return (await v2('POST', '/outbound-emails', { ...input, Content: { Raw } })).json;
      },
    };
    const transport = createTransport({ SES: { sesClient, SendEmailCommand } });
    const { response } = await transport.sendMail({
      ...{ from: '"Müller, Jörg" <news@shop.example>', to: ['ann@example.com'], bcc: 'bob@example.com' },
      ...{
        subject: 'By nodemailer',
        html: '<p>Hello</p>',
        attachments: [{ filename: 'a.txt', content: 'a' }],
      },
    });
    expect(await message(response)).toMatchObject({
      ...{ to: 'ann@example.com', from: { name: 'Müller, Jörg' }, subject: 'By nodemailer' },
      attachments: [{ filename: 'a.txt' }],
    });
    const { json } = await appliance.api('GET', '/v1/messages?to=bob@example.com', { key });
    expect((json as { data: Json[] }).data).toMatchObject([{ subject: 'By nodemailer' }]);
  });

  it('is sent from a template in the request', async () => {
    const TemplateContent = { Subject: 'Hi {{name}}', Html: '<p>{{name}}</p>' };
    const Template = { TemplateContent, TemplateData: '{"name":"<i>Bo</i>"}' };
    const { json } = await send({ Content: { Template } });
    expect(await message(json['MessageId'], '/content')).toMatchObject({ html: '<p><i>Bo</i></p>' });
  });

  const file = { FileName: 'a.png', RawContent: 'aGk=' };
  it.each([
    ['FeedbackForwardingEmailAddress', { FeedbackForwardingEmailAddress: 'a@b.example' }],
    ['FromEmailAddressIdentityArn', { FromEmailAddressIdentityArn: 'arn:aws:ses:x' }],
    ['EndpointId', { EndpointId: 'a.b' }],
    [
      'ListManagementOptions.TopicName',
      { ListManagementOptions: { ContactListName: 'lst_x', TopicName: 'x' } },
    ],
    ['ListManagementOptions.ContactListName', { ListManagementOptions: { ContactListName: 'News' } }],
    ['Content', { Content: {} }],
    [
      'Content.Simple.Subject.Charset',
      { Content: { Simple: { ...simple, Subject: { Data: 'x', Charset: 'ISO-8859-1' } } } },
    ],
    [
      'Content.Simple.Body.Html.Data',
      { Content: { Simple: { ...simple, Body: { Html: { Data: '{{amazonSESUnsubscribeUrl}}' } } } } },
    ],
    [
      'Content.Simple.Attachments.0.ContentId',
      { Content: { Simple: { ...simple, Attachments: [{ ...file, ContentDisposition: 'INLINE' }] } } },
    ],
    [
      'Content.Template.TemplateArn',
      { Content: { Template: { TemplateName: 'x', TemplateArn: 'arn:aws:ses:x' } } },
    ],
    ['TenantName', { TenantName: 'unknown' }],
    ['Elsewhere', { Elsewhere: true }],
  ])('is refused if %s would be dropped', async (path, more) => {
    const { status, error, json } = await send(more);
    expect([status, error]).toEqual([400, 'BadRequestException']);
    expect(json['message']).toContain(path);
  });

  it('belongs to the sub-tenant with the external ID of its TenantName', async () => {
    const body = { name: 'Acme', sending_domain: 'mail.acme.example', external_id: 'acme-1' };
    const { json } = await appliance.api('POST', '/v1/sub-tenants', { key, body });
    const sent = await send({ TenantName: 'acme-1' });
    expect(await message(sent.json['MessageId'])).toMatchObject({ sub_tenant_id: (json as Json)['id'] });
  });
});

describe('templates of API v2', () => {
  it('are created, read, listed, changed, rendered and deleted', async () => {
    const content = { Subject: 'A {{b}}', Html: '<p>{{{b}}} {{b}}</p>', Text: '{{b}}' };
    const create = () => v2('POST', '/templates', { TemplateName: 'My_Template', TemplateContent: content });
    expect((await create()).status).toBe(200);
    expect((await create()).error).toBe('AlreadyExistsException');
    expect((await v2('GET', '/templates/my_template')).json).toEqual({
      TemplateName: 'My_Template',
      TemplateContent: { ...content, Html: '<p>{{b}} {{b}}</p>' },
    });
    const { TemplatesMetadata: listed } = (await v2('GET', '/templates?PageSize=100')).json;
    expect(listed).toContainEqual({
      TemplateName: 'My_Template',
      CreatedTimestamp: expect.any(Number) as number,
    });
    const first = (await v2('GET', '/templates?PageSize=1')).json;
    expect(first['TemplatesMetadata']).toHaveLength(1);
    const next = encodeURIComponent(String(first['NextToken']));
    expect((await v2('GET', `/templates?NextToken=${next}`)).status).toBe(200);
    const changed = { TemplateContent: { Subject: 'B', Html: '<p>{{b}}</p>' } };
    expect((await v2('PUT', '/templates/My_Template', changed)).status).toBe(200);
    const { json } = await v2('POST', '/templates/My_Template/render', { TemplateData: '{"b":"<i>"}' });
    expect(json['RenderedTemplate']).toMatch(/^Subject: B\r\nMIME-Version: 1.0\r\n[^]*<p><i><\/p>/);
    const missing = await v2('POST', '/templates/My_Template/render', { TemplateData: '{}' });
    expect(missing.json['message']).toBe('TemplateData: lacks a value for b');
    expect((await v2('DELETE', '/templates/My_Template')).status).toBe(200);
    expect((await v2('GET', '/templates/My_Template')).error).toBe('NotFoundException');
  });

  it('are refused with a partial, which Mailkeel does not render', async () => {
    const TemplateContent = { Subject: 'x', Html: '{{#* inline "p"}}x{{/inline}}{{> p}}' };
    const { error } = await v2('POST', '/templates', { TemplateName: 'Partial', TemplateContent });
    expect(error).toBe('BadRequestException');
  });
});

describe('suppressed destinations', () => {
  it('are added, read, listed by reason and time, and removed', async () => {
    const email = 'gone+1@example.com';
    const path = `/suppression/addresses/${encodeURIComponent(email)}`;
    await v2('PUT', '/suppression/addresses', { EmailAddress: email, Reason: 'COMPLAINT' });
    const shown = { EmailAddress: email, Reason: 'COMPLAINT', LastUpdateTime: expect.any(Number) as number };
    expect((await v2('GET', path)).json).toEqual({ SuppressedDestination: shown });
    const listed = async (query: string) =>
      (await v2('GET', `/suppression/addresses?${query}`)).json['SuppressedDestinationSummaries'];
    expect(await listed('Reason=COMPLAINT&StartDate=2020-01-01T00%3A00%3A00Z')).toContainEqual(shown);
    expect(await listed('Reason=BOUNCE')).toEqual([]);
    expect(await listed('EndDate=2020-01-01T00%3A00%3A00Z')).toEqual([]);
    expect((await v2('DELETE', path)).status).toBe(200);
    expect((await v2('DELETE', path)).error).toBe('NotFoundException');
    expect((await v2('GET', path)).error).toBe('NotFoundException');
  });

  it('exclude addresses that unsubscribed or were suppressed by hand', async () => {
    const body = { email: 'manual@example.com', reason: 'manual' };
    await appliance.api('POST', '/v1/suppressions', { key, body });
    expect((await v2('GET', '/suppression/addresses/manual%40example.com')).error).toBe('NotFoundException');
    expect((await v2('DELETE', '/suppression/addresses/manual%40example.com')).status).toBe(404);
  });
});

describe('identities and the account', () => {
  it('are the senders', async () => {
    const created = await v2('POST', '/identities', { EmailIdentity: 'ses.example' });
    expect(created.json).toMatchObject({ IdentityType: 'DOMAIN', VerifiedForSendingStatus: false });
    expect((await v2('GET', '/identities')).json['EmailIdentities']).toContainEqual({
      ...{ IdentityType: 'DOMAIN', IdentityName: 'ses.example' },
      ...{ SendingEnabled: false, VerificationStatus: 'PENDING' },
    });
    expect((await v2('GET', '/identities/SES.example')).json).toMatchObject({
      VerificationStatus: 'PENDING',
    });
    const attributes = await v1('GetIdentityVerificationAttributes', { Identities: ['ses.example', 'none'] });
    expect(attributes.text).toContain(
      '<VerificationAttributes><entry><key>ses.example</key><value><VerificationStatus>Pending</VerificationStatus></value></entry></VerificationAttributes>',
    );
    expect((await v1('ListIdentities', { IdentityType: 'Domain' })).text).toContain(
      '<Identities><member>ses.example</member></Identities>',
    );
    expect((await v1('ListIdentities', { IdentityType: 'EmailAddress' })).text).toContain(
      '<Identities></Identities>',
    );
    expect((await v2('DELETE', '/identities/ses.example')).status).toBe(200);
    expect((await v2('GET', '/identities/ses.example')).error).toBe('NotFoundException');
  });

  it('show the quota of the plan, which keys of a sub-tenant do not see', async () => {
    const { json } = await v2('GET', '/account');
    expect(json).toMatchObject({
      ProductionAccessEnabled: false,
      SendQuota: { Max24HourSend: -1, SentLast24Hours: 0, MaxSendRate: expect.any(Number) as number },
    });
    expect((await v1('GetSendQuota')).text).toContain('<Max24HourSend>-1</Max24HourSend>');
    const headers = { 'x-sub-tenant-id': 'external:acme-1' };
    expect((await v2('GET', '/account', undefined, { headers })).status).toBe(200);
  });
});

describe('API v1', () => {
  it('sends mail in the forms of its actions', async () => {
    const Destination = { ToAddresses: [to()], CcAddresses: ['cc@example.com'] };
    const Message = { Subject: { Data: 'A & "b" + ü' }, Body: { Text: { Data: 'Hello' } } };
    const Tags = [{ Name: 'a', Value: 'b' }];
    const { status, headers, text } = await v1('SendEmail', { Source: FROM, Destination, Message, Tags });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(text).toMatch(/<SendEmailResponse xmlns="http:\/\/ses.amazonaws.com\/doc\/2010-12-01\/">/);
    expect(element(text, 'RequestId')).toMatch(/^req_/);
    expect(await message(element(text, 'MessageId'))).toMatchObject({
      subject: 'A & "b" + ü',
      tags: ['a:b'],
    });

    const part = { TemplateName: 'V1', SubjectPart: 'Hi {{n}}', HtmlPart: '<p>{{n}} & <b></p>' };
    expect((await v1('CreateTemplate', { Template: part })).status).toBe(200);
    expect((await v1('GetTemplate', { TemplateName: 'V1' })).text).toContain(
      '<Template><TemplateName>V1</TemplateName><SubjectPart>Hi {{n}}</SubjectPart><HtmlPart>&lt;p&gt;{{n}} &amp; &lt;b&gt;&lt;/p&gt;</HtmlPart></Template>',
    );
    const templated = await v1('SendTemplatedEmail', {
      ...{ Source: FROM, Destination, Template: 'V1', TemplateData: '{"n":"Ann"}' },
    });
    expect(await message(element(templated.text, 'MessageId'))).toMatchObject({ subject: 'Hi Ann' });
    const bulk = await v1('SendBulkTemplatedEmail', {
      ...{ Source: FROM, Template: 'V1', DefaultTemplateData: '{"n":"Friend"}' },
      Destinations: [{ Destination }, { Destination: { ToAddresses: ['nonsense'] } }],
    });
    expect(bulk.text).toMatch(/<member><Status>Success<\/Status><MessageId>msg_/);
    expect(bulk.text).toContain('<member><Status>InvalidParameterValue</Status><Error>');
    expect(
      (await v1('TestRenderTemplate', { TemplateName: 'V1', TemplateData: '{"n":"x"}' })).text,
    ).toContain('Subject: Hi x');
    expect((await v1('UpdateTemplate', { Template: { ...part, SubjectPart: 'Bye' } })).status).toBe(200);
    expect((await v1('ListTemplates', { MaxItems: 10 })).text).toContain('<Name>V1</Name>');
    const remove = async () => (await v1('DeleteTemplate', { TemplateName: 'V1' })).status;
    expect([await remove(), await remove()]).toEqual([200, 200]);
    const gone = await v1('GetTemplate', { TemplateName: 'V1' });
    expect([gone.status, element(gone.text, 'Code')]).toEqual([404, 'TemplateDoesNotExist']);
  });

  it('answers the requests that clients make before they send', async () => {
    expect((await v1('GetAccountSendingEnabled')).text).toContain('<Enabled>true</Enabled>');
    expect((await v1('ListVerifiedEmailAddresses')).text).toContain('<VerifiedEmailAddresses>');
  });

  it.each([
    ['ReturnPath', { ReturnPath: 'a@b.example' }],
    ['SourceArn', { SourceArn: 'arn:aws:ses:x' }],
    ['Elsewhere', { Elsewhere: 'x' }],
    ['Destination.To', { Destination: { To: 'ann@example.com' } }],
    ['Message', { Message: undefined }],
  ])('refuses %s', async (path, more) => {
    const request = {
      ...{ Source: FROM, Destination: { ToAddresses: [to()] } },
      Message: { Subject: { Data: 'x' }, Body: { Text: { Data: 'y' } } },
    };
    const { status, text } = await v1('SendEmail', { ...request, ...more });
    expect([status, element(text, 'Type'), element(text, 'Code')]).toEqual([
      400,
      'Sender',
      'InvalidParameterValue',
    ]);
    expect(element(text, 'Message')).toContain(path);
  });

  it.each([
    'Action=SendEmail&Action=SendEmail',
    'Version=2010-12-01',
    'Action=GetSendQuota&Version=2099-01-01',
    'Action=ListIdentities&MaxItems=many',
    'Action=SendEmail&Destination=x&Destination.ToAddresses.member.1=y',
    'Action=SendEmail&Destination.ToAddresses.member.1=x&Destination=y',
    `Action=SendEmail&${'a.'.repeat(20)}=x`,
    'Action=SendEmail&__proto__.x=1',
    'Action=%FF',
    '',
  ])('refuses the form %j', async (form) => {
    const { status, text } = await ask('POST', '/', form, { headers: { 'content-type': FORM } });
    expect([400, 404]).toContain(status);
    expect(text).toContain('<ErrorResponse');
  });
});

describe('a signature', () => {
  const account = (asked: Asked) => v2('GET', '/account', undefined, asked);

  it('is accepted for any region, and from behind a proxy that changes host and path', async () => {
    expect((await account({ signing: { region: 'us-west-2' } })).status).toBe(200);
    const url = 'https://mail.example.test/base/compat/ses/v2/email/account';
    const headers = await signSes(credentials, { method: 'GET', url });
    Reflect.deleteProperty(headers, 'host');
    expect((await fetch(`${appliance.url}/compat/ses/v2/email/account`, { headers })).status).toBe(200);
  });

  it.each<[string, Asked, string]>([
    ['of another secret', { as: { access_key_id: '', secret_access_key: 'x' } }, 'InvalidSignatureException'],
    ['16 minutes old', { signing: { at: Date.now() - 16 * 60_000 } }, 'InvalidSignatureException'],
    ['of the future', { signing: { at: Date.now() + 16 * 60_000 } }, 'InvalidSignatureException'],
    ['for another service', { signing: { service: 's3' } }, 'IncompleteSignatureException'],
    ['with a session token', { signing: { sessionToken: 'x' } }, 'UnrecognizedClientException'],
    [
      'of an unknown key',
      { as: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'x' } },
      'UnrecognizedClientException',
    ],
    ['for another path', { tamper: (sent) => (sent.url += 's') }, 'UnknownOperationException'],
    ['for another parameter', { tamper: (sent) => (sent.url += '?x=1') }, 'InvalidSignatureException'],
    [
      'in no header',
      { tamper: ({ headers }) => Reflect.deleteProperty(headers, 'authorization') },
      'MissingAuthenticationTokenException',
    ],
    [
      'of a bearer key',
      { tamper: ({ headers }) => (headers['authorization'] = `Bearer ${key}`) },
      'IncompleteSignatureException',
    ],
    [
      'for another time',
      { tamper: ({ headers }) => (headers['x-amz-date'] = '20200101T000000Z') },
      'IncompleteSignatureException',
    ],
  ])('%s is refused', async (_kind, asked, error) => {
    const as =
      asked.as?.access_key_id === '' ? { ...credentials, secret_access_key: 'x'.repeat(40) } : undefined;
    const answer = await account({ ...asked, ...(as === undefined ? {} : { as }) });
    expect(answer.error).toBe(error);
    expect([400, 403, 404]).toContain(answer.status);
  });

  it('covers the body, which is parsed only after it was verified', async () => {
    const tamper: Asked['tamper'] = (sent) => (sent.body = '{"EmailAddress":');
    const body = { EmailAddress: 'a@example.com', Reason: 'BOUNCE' };
    expect((await v2('PUT', '/suppression/addresses', body, { tamper })).error).toBe(
      'InvalidSignatureException',
    );
    const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    expect((await v2('PUT', '/suppression/addresses', body, { headers })).error).toBe(
      'InvalidSignatureException',
    );
    const form = await v1('GetSendQuota', {}, { tamper: (sent) => (sent.body = `${sent.body ?? ''}&x=1`) });
    expect([form.status, element(form.text, 'Code')]).toEqual([403, 'SignatureDoesNotMatch']);
  });

  it('ends with its key and its credentials', async () => {
    const made = await appliance.api('POST', '/v1/api-keys', {
      key,
      body: { name: 'Short', permission: 'send' },
    });
    const { id } = made.json as { id: string };
    const renew = async () =>
      (await appliance.api('POST', `/v1/api-keys/${id}/ses-credentials`, { key })).json as SesCredentials;
    const first = await renew();
    expect((await account({ as: first })).status).toBe(200);
    expect((await v2('GET', '/templates', undefined, { as: first })).error).toBe('AccessDeniedException');
    const second = await renew();
    expect((await account({ as: first })).error).toBe('InvalidSignatureException');
    expect((await account({ as: second })).status).toBe(200);
    const change = (body: object) => appliance.api('PATCH', `/v1/api-keys/${id}`, { key, body });
    await change({ allowed_ips: ['192.0.2.1'] });
    expect((await account({ as: second })).error).toBe('AccessDeniedException');
    await change({ allowed_ips: null });
    await appliance.api('DELETE', `/v1/api-keys/${id}`, { key });
    expect((await account({ as: second })).error).toBe('UnrecognizedClientException');
  });

  it('opens nothing outside the interface of SES', async () => {
    const url = `${appliance.url}/v1/messages`;
    const headers = await signSes(credentials, { method: 'GET', url });
    expect((await fetch(url, { headers })).status).toBe(401);
  });
});

it.each([
  ['GET', '/contact-lists', 'Use lists and their contacts'],
  ['PUT', '/account/sending', 'Use the settings of the organization'],
  ['DELETE', '/identities/shop.example/policies/x', 'Access is a matter of API keys'],
])(
  'an operation of API v2 that is not served, %s %s, names an alternative',
  async (method, path, sentence) => {
    const { status, error, json } = await v2(method, path);
    expect([status, error]).toEqual([404, 'UnknownOperationException']);
    expect(json['message']).toContain(sentence);
  },
);

it('every other action of API v1 is refused by its name', async () => {
  const { actions } = pinned;
  const served = (SES.actions?.routes ?? []).map((route) => ('action' in route ? String(route.action) : ''));
  expect(served.filter((action) => !actions.includes(action))).toEqual([]);
  const refused = actions.filter((action) => !served.includes(action));
  expect(refused.length).toBe(actions.length - served.length);
  for (const action of refused) {
    const { text } = await v1(action);
    expect([element(text, 'Code'), element(text, 'Message')]).toEqual([
      'InvalidAction',
      expect.stringContaining(`does not support the action ${action}`) as string,
    ]);
  }
});
