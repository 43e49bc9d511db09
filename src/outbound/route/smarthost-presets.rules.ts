// Smarthosts of known vendors: their servers, sign-in and header fields. A preset spares the operator the vendor's documentation.
import type { DataReader, Fields } from '../../lib/config/index.js';
import type { OAuthApplication, Smarthost } from './smarthost.rules.js';

const SUBMISSION_PORT = 587;

const PRESETS = [
  'amazon_ses',
  'postmark',
  'sendgrid',
  'mailgun',
  'resend',
  'brevo',
  'google_workspace',
  'microsoft_365',
] as const;
type Preset = (typeof PRESETS)[number];

/** Keys of the vendor's own options, besides `name` and `preset`. */
const KEYS: Readonly<Record<Preset, readonly string[]>> = {
  amazon_ses: ['region', 'user', 'password', 'configuration_set'],
  postmark: ['server_token', 'message_stream', 'broadcast'],
  sendgrid: ['api_key'],
  mailgun: ['region', 'user', 'password'],
  resend: ['api_key'],
  brevo: ['user', 'password'],
  google_workspace: ['user', 'client_id', 'client_secret', 'refresh_token_file'],
  microsoft_365: ['user', 'tenant', 'client_id', 'client_secret', 'refresh_token_file'],
};

/** A value that a header field or a host name may contain. */
const WORD = /^[\w.-]{1,128}$/;
/** Switches off the vendor's tracking, which would rewrite links and break the sender's DKIM signature. */
const SENDGRID_OPTIONS =
  '{"filters":{"clicktrack":{"settings":{"enable":0}},"opentrack":{"settings":{"enable":0}}}}';

interface Reading {
  reader: DataReader;
  place: string;
  fields: Fields;
}

/** Reads a smarthost with a preset. Undefined, with a problem noted, if something is missing or unknown. */
export function readPreset(reader: DataReader, value: unknown, place: string): Smarthost | undefined {
  const preset = reader.oneOf(reader.fields(value, place)['preset'], `${place}.preset`, PRESETS);
  if (preset === undefined) return undefined;
  const fields = reader.fields(value, place, ['name', 'preset', ...KEYS[preset]]);
  return MAKERS[preset]({ reader, place, fields });
}

/** The smarthost with the sign-in of an application in place of a password. */
export function withApplication(
  reader: DataReader,
  smarthost: Smarthost,
  value: unknown,
  place: string,
): Smarthost {
  const keys = ['token_url', 'client_id', 'client_secret', 'refresh_token_file', 'scope'];
  const reading = { reader, place: `${place}.oauth`, fields: reader.fields(value, `${place}.oauth`, keys) };
  const { auth } = smarthost;
  if (auth === null || !('pass' in auth) || auth.pass !== '') {
    reader.problem(`${place}.url`, 'must have a user and no password, because oauth is given');
    return smarthost;
  }
  const optional = (key: string): string | null =>
    reading.fields[key] === undefined ? null : text(reading, key);
  const application: OAuthApplication = {
    tokenUrl: tokenUrl(reading),
    clientId: text(reading, 'client_id'),
    clientSecret: optional('client_secret'),
    refreshTokenFile: optional('refresh_token_file'),
    scope: optional('scope'),
  };
  return { ...smarthost, auth: { user: auth.user, application } };
}

function tokenUrl(reading: Reading): string {
  const given = text(reading, 'token_url');
  const url = URL.canParse(given) ? new URL(given) : null;
  const isLocal = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  if (url?.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
    reading.reader.problem(`${reading.place}.token_url`, 'must be an https URL');
  return given;
}

const MAKERS: Readonly<Record<Preset, (reading: Reading) => Smarthost>> = {
  amazon_ses: (reading) => {
    const set = optionalWord(reading, 'configuration_set');
    return {
      ...withPassword(`email-smtp.${word(reading, 'region')}.amazonaws.com`, login(reading)),
      headers: set === null ? [] : [['X-SES-CONFIGURATION-SET', set]],
    };
  },
  postmark: (reading) => {
    const token = text(reading, 'server_token');
    const { broadcast = false } = reading.fields;
    if (typeof broadcast !== 'boolean')
      reading.reader.problem(`${reading.place}.broadcast`, 'must be true or false');
    const stream = optionalWord(reading, 'message_stream');
    return {
      ...withPassword(broadcast === true ? 'smtp-broadcasts.postmarkapp.com' : 'smtp.postmarkapp.com', {
        user: token,
        pass: token,
      }),
      headers: [
        ['X-PM-TrackOpens', 'false'],
        ['X-PM-TrackLinks', 'None'],
        ...(stream === null ? [] : [['X-PM-Message-Stream', stream] as const]),
      ],
    };
  },
  sendgrid: (reading) => ({
    ...withPassword('smtp.sendgrid.net', { user: 'apikey', pass: text(reading, 'api_key') }),
    headers: [['X-SMTPAPI', SENDGRID_OPTIONS]],
  }),
  mailgun: (reading) => {
    const { reader, place, fields } = reading;
    const region = reader.oneOf(fields['region'] ?? 'us', `${place}.region`, ['us', 'eu']);
    return {
      ...withPassword(region === 'eu' ? 'smtp.eu.mailgun.org' : 'smtp.mailgun.org', login(reading)),
      headers: [['X-Mailgun-Track', 'no']],
    };
  },
  resend: (reading) => withPassword('smtp.resend.com', { user: 'resend', pass: text(reading, 'api_key') }),
  brevo: (reading) => withPassword('smtp-relay.brevo.com', login(reading)),
  google_workspace: (reading) =>
    withToken(reading, 'smtp.gmail.com', {
      tokenUrl: 'https://oauth2.googleapis.com/token',
      clientId: text(reading, 'client_id'),
      clientSecret: text(reading, 'client_secret'),
      refreshTokenFile: text(reading, 'refresh_token_file'),
      scope: null,
    }),
  microsoft_365: (reading) => {
    const tenant = word(reading, 'tenant');
    const isPersonal = reading.fields['refresh_token_file'] !== undefined;
    return withToken(reading, 'smtp.office365.com', {
      tokenUrl: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
      clientId: text(reading, 'client_id'),
      // A public client signs in with its refresh token only. An application without one needs a secret.
      clientSecret:
        isPersonal && reading.fields['client_secret'] === undefined ? null : text(reading, 'client_secret'),
      refreshTokenFile: isPersonal ? text(reading, 'refresh_token_file') : null,
      scope: isPersonal
        ? 'https://outlook.office.com/SMTP.Send offline_access'
        : 'https://outlook.office365.com/.default',
    });
  },
};

const SUBMISSION = { port: SUBMISSION_PORT, tlsMode: 'required', verifyTls: true, headers: [] } as const;

function withPassword(host: string, auth: { user: string; pass: string }): Smarthost {
  return { ...SUBMISSION, host, auth, mailFrom: null };
}

/** Mailboxes accept their own address as the envelope sender only. */
function withToken(reading: Reading, host: string, application: OAuthApplication): Smarthost {
  const user = text(reading, 'user');
  return { ...SUBMISSION, host, auth: { user, application }, mailFrom: user };
}

function login(reading: Reading): { user: string; pass: string } {
  return { user: text(reading, 'user'), pass: text(reading, 'password') };
}

function text({ reader, place, fields }: Reading, key: string): string {
  return reader.text(fields[key], `${place}.${key}`) ?? '';
}

function word(reading: Reading, key: string): string {
  const { reader, place } = reading;
  const given = text(reading, key);
  if (given !== '' && !WORD.test(given))
    reader.problem(`${place}.${key}`, 'must consist of letters, digits, ".", "_" and "-"');
  return given;
}

function optionalWord(reading: Reading, key: string): string | null {
  return reading.fields[key] === undefined ? null : word(reading, key);
}
