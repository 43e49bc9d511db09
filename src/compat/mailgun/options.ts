// Options of Mailgun's messages: `o:` and `v:` fields, and `h:` fields for header fields.
import type { MessageRequest } from '../../messages/message.schema.js';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import type { Mode } from '../../contract/names.js';
import { isoOfTime } from '../../lib/mime/index.js';
import { MAX_LINE, MAX_MAILBOXES_TEXT } from '../bounds.js';
import { given, splitMailboxes } from '../fields.js';
import { parseJsonObject, readSingle, type Form, type TakenFields } from '../form-body.js';

const NO_POOLS = 'mail is sent from the sources of this server. Omit it';
const ONE_SIGNER = 'the keys of the From domain sign the message. Omit it';
const ONE_TIME = 'a message has a single send time. Use o:deliverytime';

/** Fields of every message. */
export const OPTION_FIELDS: TakenFields = {
  'o:tag': true,
  'o:deliverytime': true,
  'o:deliverytime-optimize-period': ONE_TIME,
  'o:time-zone-localize': ONE_TIME,
  'o:testmode': true,
  'o:tracking': true,
  'o:tracking-clicks': true,
  'o:tracking-opens': true,
  'o:tracking-pixel-location-top': 'the tracking pixel is always at the end of the HTML. Omit it',
  'o:require-tls': true,
  'o:skip-verification': true,
  'o:dkim': true,
  'o:secondary-dkim': ONE_SIGNER,
  'o:secondary-dkim-public': ONE_SIGNER,
  'o:sending-ip': NO_POOLS,
  'o:sending-ip-pool': NO_POOLS,
  'o:archive-to': 'copies are not archived elsewhere. Use a webhook or bcc',
  'o:suppress-headers': 'no such headers are added. Omit it',
  'h:*': true,
  'v:*': true,
};
/** Header with custom variables in JSON, as an alternative to `v:` fields. */
const VARIABLES_HEADER = 'x-mailgun-variables';

/** Fields with up to a thousand recipients. */
const MAILBOX_FIELDS = ['to', 'cc', 'bcc', 'h:reply-to'];

/** Returns the fields that are too long. Fields of content may be as long as the body. */
export function lengthProblems({ fields }: Form, contentFields: readonly string[]): FieldProblem[] {
  return [...fields].flatMap(([name, values]) => {
    if (contentFields.includes(name)) return [];
    const most = MAILBOX_FIELDS.includes(name.toLowerCase()) ? MAX_MAILBOXES_TEXT * 10 : MAX_LINE;
    const length = values.reduce((sum, value) => sum + value.length, 0);
    return length > most
      ? [{ path: name.slice(0, 80), message: `must not have more than ${most} characters` }]
      : [];
  });
}

/** Returns the options whose value is not supported. */
export function optionProblems(form: Form, mode: Mode): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const isOn = (name: string): boolean | undefined => switchOf(form, name);
  if (isOn('o:testmode') === true && mode === 'live') {
    problems.push({
      path: 'o:testmode',
      message: 'is determined by the API key. Only test keys (svc_test_…) send to the sandbox',
    });
  }
  if (isOn('o:dkim') === false)
    problems.push({ path: 'o:dkim', message: 'must be yes because all mail is signed' });
  if (isOn('o:skip-verification') === true) {
    const message = "certificates are verified according to the recipient's policy. Omit it";
    problems.push({ path: 'o:skip-verification', message });
  }
  return problems;
}

type Options = Pick<
  MessageRequest,
  'send_at' | 'track_clicks' | 'track_opens' | 'require_tls' | 'tags' | 'metadata'
>;

interface ReadOptions {
  /** Fields of /v1. */
  options: Options;
  /** Custom variables, which are in the options too. */
  metadata: Record<string, unknown>;
  /** Fields of the header, apart from Reply-To and variables. */
  headers: Map<string, string>;
  replyTo: string[];
}

export function readOptions(form: Form, jsonMembers: number): ReadOptions {
  const { fields } = form;
  const one = (name: string): string | undefined => readSingle(form, name);
  const tracking = switchOf(form, 'o:tracking');
  const tags = fields.get('o:tag') ?? [];
  const time = one('o:deliverytime');
  const { headers, replyTo, variables } = headersOf(form, jsonMembers);
  const custom = [...fields.keys()]
    .filter((name) => name.startsWith('v:'))
    .map((name) => [name.slice(2), one(name) ?? ''] as const);
  const metadata: Record<string, unknown> = Object.fromEntries([...custom, ...Object.entries(variables)]);
  const options = {
    ...given('send_at', time === undefined ? undefined : isoOfTime(time)),
    ...given('track_clicks', switchOf(form, 'o:tracking-clicks') ?? tracking),
    ...given('track_opens', switchOf(form, 'o:tracking-opens') ?? tracking),
    ...given('require_tls', switchOf(form, 'o:require-tls')),
    ...(tags.length === 0 ? {} : { tags }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
  return { options, metadata, headers, replyTo };
}

export function switchOf(form: Form, name: string): boolean | undefined {
  const value = readSingle(form, name);
  if (value === undefined) return undefined;
  if (['yes', 'true', 'True', 'htmlonly'].includes(value)) return true;
  if (['no', 'false', 'False'].includes(value)) return false;
  throw invalidFields([{ path: name, message: 'must be yes or no' }]);
}

/** Returns a JSON object; null if the field is absent. */
export function jsonOf(form: Form, name: string, members: number): Record<string, unknown> | null {
  const text = readSingle(form, name);
  return text === undefined ? null : parseJsonObject(text, name, members);
}

function headersOf(
  { fields }: Form,
  jsonMembers: number,
): { headers: Map<string, string>; replyTo: string[]; variables: Record<string, unknown> } {
  let variables: Record<string, unknown> = {};
  // A Map stores any field name, even `__proto__`, for /v1 to check.
  const headers = new Map<string, string>();
  const replyTo: string[] = [];
  for (const [name, values] of fields) {
    if (!name.startsWith('h:')) continue;
    const field = name.slice(2);
    if (values.length > 1)
      throw invalidFields([{ path: name.slice(0, 80), message: 'is set more than once. Set it once' }]);
    const [value = ''] = values;
    const lower = field.toLowerCase();
    if (value === '') continue;
    if (lower === 'reply-to') replyTo.push(...splitMailboxes(value));
    else if (lower === VARIABLES_HEADER) variables = parseJsonObject(value, name, jsonMembers);
    else headers.set(field, value);
  }
  return { headers, replyTo, variables };
}
