// Tests smarthosts of known vendors, and those that authenticate with OAuth.
import { describe, expect, it } from 'vitest';
import { DataProblems } from '../../src/lib/config/index.js';
import { compileEgress } from '../../src/outbound/route/egress-data.rules.js';
import type { Smarthost } from '../../src/outbound/route/smarthost.rules.js';

const BASE = { sourceAddresses: null, smarthost: null, ehloName: 'mta.example' };

function smarthost(fields: object): Smarthost | undefined {
  const outbound = { smarthosts: [{ name: 'old', ...fields }], default: ['smarthost:old'] };
  return compileEgress(outbound, BASE).smarthosts.get('old');
}

function problems(fields: object): readonly string[] {
  try {
    smarthost(fields);
    return [];
  } catch (error) {
    if (error instanceof DataProblems) return error.problems;
    throw error;
  }
}

const LOGIN = { user: 'u', password: 'p' };
const APPLICATION = { user: 'me@x.example', client_id: 'id', refresh_token_file: '/run/refresh' };

describe('a preset', () => {
  it.each([
    [
      { preset: 'amazon_ses', region: 'eu-central-1', configuration_set: 'main', ...LOGIN },
      'email-smtp.eu-central-1.amazonaws.com',
      { user: 'u', pass: 'p' },
      [['X-SES-CONFIGURATION-SET', 'main']],
    ],
    [
      { preset: 'postmark', server_token: 't', message_stream: 'news', broadcast: true },
      'smtp-broadcasts.postmarkapp.com',
      { user: 't', pass: 't' },
      [
        ['X-PM-TrackOpens', 'false'],
        ['X-PM-TrackLinks', 'None'],
        ['X-PM-Message-Stream', 'news'],
      ],
    ],
    [
      { preset: 'mailgun', region: 'eu', ...LOGIN },
      'smtp.eu.mailgun.org',
      { user: 'u', pass: 'p' },
      [['X-Mailgun-Track', 'no']],
    ],
    [
      { preset: 'mailgun', ...LOGIN },
      'smtp.mailgun.org',
      { user: 'u', pass: 'p' },
      [['X-Mailgun-Track', 'no']],
    ],
    [{ preset: 'resend', api_key: 're_1' }, 'smtp.resend.com', { user: 'resend', pass: 're_1' }, []],
    [{ preset: 'brevo', ...LOGIN }, 'smtp-relay.brevo.com', { user: 'u', pass: 'p' }, []],
  ])('%j', (fields, host, auth, headers) => {
    expect(smarthost(fields)).toEqual({
      ...{ host, port: 587, tlsMode: 'required', verifyTls: true, auth, headers, mailFrom: null },
    });
  });

  it('of SendGrid switches its tracking off', () => {
    const found = smarthost({ preset: 'sendgrid', api_key: 'SG.1' });
    expect(found).toMatchObject({ host: 'smtp.sendgrid.net', auth: { user: 'apikey', pass: 'SG.1' } });
    const [[name, value] = ['', '']] = found?.headers ?? [];
    expect(name).toBe('X-SMTPAPI');
    expect(JSON.parse(value)).toMatchObject({ filters: { clicktrack: { settings: { enable: 0 } } } });
  });

  it('of Google and Microsoft signs in with a refresh token', () => {
    expect(smarthost({ preset: 'google_workspace', client_secret: 's', ...APPLICATION })?.auth).toMatchObject(
      {
        user: 'me@x.example',
        application: { tokenUrl: 'https://oauth2.googleapis.com/token', refreshTokenFile: '/run/refresh' },
      },
    );
    expect(smarthost({ preset: 'microsoft_365', tenant: 'x.example', ...APPLICATION })).toMatchObject({
      mailFrom: 'me@x.example',
      auth: {
        application: {
          tokenUrl: 'https://login.microsoftonline.com/x.example/oauth2/v2.0/token',
          clientSecret: null,
          scope: 'https://outlook.office.com/SMTP.Send offline_access',
        },
      },
    });
  });

  it('of Microsoft signs in as the application without one', () => {
    const application = { user: 'me@x.example', client_id: 'id', client_secret: 's' };
    const found = smarthost({ preset: 'microsoft_365', tenant: 't', ...application });
    expect(found?.auth).toMatchObject({
      application: { refreshTokenFile: null, scope: 'https://outlook.office365.com/.default' },
    });
  });

  it.each([
    [{ preset: 'sparkpost' }, 'preset must be one of'],
    [{ preset: 'resend' }, 'api_key must be a non-empty string'],
    [{ preset: 'resend', api_key: 'x', url: 'smtp://x' }, 'has an unknown field: "url"'],
    [{ preset: 'amazon_ses', region: 'eu/../x', ...LOGIN }, 'region must consist of'],
    [
      { preset: 'amazon_ses', region: 'eu', configuration_set: 'a\r\nBcc: x', ...LOGIN },
      'configuration_set must',
    ],
    [{ preset: 'postmark', server_token: 't', broadcast: 'yes' }, 'broadcast must be true or false'],
    [{ preset: 'mailgun', region: 'asia', ...LOGIN }, 'region must be one of us, eu'],
  ])('%j is refused', (fields, words) => {
    expect(problems(fields).join()).toContain(words);
    expect(problems(fields).join()).not.toContain('Bcc');
  });
});

describe('a smarthost with OAuth', () => {
  const OAUTH = {
    token_url: 'https://id.example/token',
    client_id: 'id',
    refresh_token_file: '/run/refresh',
  };

  it('takes the user from its URL', () => {
    expect(smarthost({ url: 'smtp://me%40x.example@relay.example:587', oauth: OAUTH })).toMatchObject({
      auth: { user: 'me@x.example', application: { clientId: 'id', clientSecret: null, scope: null } },
      verifyTls: true,
    });
  });

  it.each([
    ['smtp://relay.example', OAUTH, 'must have a user and no password'],
    ['smtp://u:p@relay.example', OAUTH, 'must have a user and no password'],
    ['smtp://u@relay.example', { ...OAUTH, token_url: 'http://id.example/token' }, 'must be an https URL'],
  ])('refuses %s', (url, oauth, words) => {
    expect(problems({ url, oauth }).join()).toContain(words);
  });
});

describe('a route with a share', () => {
  const route = (fields: object): readonly string[] => {
    const outbound = {
      smarthosts: [{ name: 'old', url: 'smtp://relay.example' }],
      routes: [fields],
      default: ['pool:default'],
    };
    try {
      compileEgress(outbound, BASE);
      return [];
    } catch (error) {
      if (error instanceof DataProblems) return error.problems;
      throw error;
    }
  };
  const BOTH = ['pool:default', 'smarthost:old'];

  it.each([
    [{ name: 'a', via: BOTH, share: 20, rise: { step: 5, every: '2d' } }, undefined],
    [{ via: BOTH, share: 20 }, 'name is required for a route with a share'],
    [{ name: 'a', via: ['pool:default'], share: 20 }, 'must refer to a smarthost'],
    [{ name: 'a', via: ['smarthost:old'], share: 20 }, 'must refer to a pool'],
    [{ name: 'a', via: BOTH, share: 101 }, 'share must be a whole number from 0 to 100'],
    [{ name: 'a', via: BOTH, rise: { step: 5, every: '2d' } }, 'rise requires a share'],
    [{ name: 'a', via: BOTH, share: 1, rise: { step: 5, every: '1h' } }, 'rise.every must be a duration'],
  ])('%j', (fields, words) => {
    if (words === undefined) expect(route(fields)).toEqual([]);
    else expect(route(fields).join()).toContain(words);
  });

  it('has a unique name', () => {
    const two = { name: 'a', via: BOTH, share: 20 };
    const outbound = {
      smarthosts: [{ name: 'old', url: 'smtp://relay.example' }],
      routes: [{ ...two, type: 'sales' }, two],
      default: ['pool:default'],
    };
    expect(() => compileEgress(outbound, BASE)).toThrow('has the name of another route: "a"');
  });
});
