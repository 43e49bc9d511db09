// Reads the control fields of other services in submitted mail: X-SMTPAPI of SendGrid, X-PM- of Postmark, X-Mailgun-, X-MC- of
// Mandrill, X-SES- of Amazon SES, Resend- and X-MSYS-API of SparkPost. Each is translated or refused, and none is passed on.
import { isoOfTime } from '../lib/mime/index.js';
import {
  addEntries,
  addEntry,
  addMetadata,
  addTag,
  addTags,
  firstProblem,
  flag,
  parseFlag,
  parseJsonObject,
  put,
  text,
  type Reader,
  type Requested,
} from './requested.rules.js';

const ENVELOPE =
  'is not supported: recipients come from the envelope and all receive the message as submitted. Remove it';
const AS_SUBMITTED = 'is not supported: relayed messages are sent as submitted. Use the API, or remove it';
const NO_POOLS = "is not supported: messages are sent from the server's own sources. Remove it";
const NO_GROUPS = 'is not supported: use a topic (the ID of a list) in the API. Remove it';
const ONE_TIME = 'is not supported: a message has a single send time (X-Service-Send-At)';
const SIGNED = 'must be yes because all mail is signed';
const VERIFIED = "must be no because certificates are verified according to the recipient's policy";
const TEST_KEYS = 'must be no; to test, sign in with a test key';

const refused =
  (sentence: string): Reader =>
  () =>
    sentence;
/** A switch that may only have this value. */
const only =
  (wanted: boolean, sentence: string): Reader =>
  (value) =>
    parseFlag(value) === wanted ? null : sentence;

/** Mailgun's switch of all tracking; those of opens and clicks win over it. */
export const COMMON_SWITCH = 'x-mailgun-track';

const READERS: Readonly<Record<string, Reader>> = {
  'resend-idempotency-key': text('idempotencyKey'),
  'x-smtpapi': readSmtpApi,
  'x-pm-tag': (value, into) => addTag(into, value),
  'x-pm-message-stream': readStream,
  'x-pm-trackopens': flag('trackOpens'),
  'x-pm-track-opens': flag('trackOpens'),
  'x-pm-tracklinks': readTrackedLinks,
  'x-pm-track-links': readTrackedLinks,
  'x-pm-keepid': only(true, 'must be true because the submitted Message-ID is always kept'),
  'x-mailgun-tag': (value, into) => addTag(into, value),
  'x-mailgun-variables': addMetadata,
  'x-mailgun-deliver-by': (value, into) => put(into, 'sendAt', isoOfTime(value)),
  [COMMON_SWITCH]: readCommonSwitch,
  'x-mailgun-track-opens': flag('trackOpens'),
  'x-mailgun-track-clicks': (value, into) =>
    flag('trackClicks')(value.toLowerCase() === 'htmlonly' ? 'yes' : value, into),
  'x-mailgun-require-tls': flag('requireTls'),
  'x-mailgun-skip-verification': only(false, VERIFIED),
  'x-mailgun-dkim': only(true, SIGNED),
  'x-mailgun-drop-message': only(false, TEST_KEYS),
  'x-mailgun-recipient-variables': refused(ENVELOPE),
  'x-mailgun-template-name': refused(AS_SUBMITTED),
  'x-mailgun-template-version': refused(AS_SUBMITTED),
  'x-mailgun-template-variables': refused(AS_SUBMITTED),
  'x-mailgun-sending-ip': refused(NO_POOLS),
  'x-mailgun-sending-ip-pool': refused(NO_POOLS),
  'x-mailgun-delivery-time-optimize-period': refused(ONE_TIME),
  'x-mailgun-time-zone-localize': refused(ONE_TIME),
  'x-mc-tags': addTags,
  'x-mc-metadata': addMetadata,
  'x-mc-sendat': (value, into) =>
    put(into, 'sendAt', /^[\d-]{10} [\d:]{5,8}$/.test(value) ? `${value.replace(' ', 'T')}Z` : value),
  'x-mc-track': readMandrillTracking,
  'x-mc-important': (value, into) => {
    const isImportant = parseFlag(value);
    if (isImportant === null) return 'must be true or false';
    return isImportant ? put(into, 'priority', 'high') : null;
  },
  'x-mc-subaccount': text('subTenant'),
  'x-mc-preserverecipients': only(true, ENVELOPE),
  'x-mc-autotext': only(false, AS_SUBMITTED),
  'x-mc-autohtml': only(false, AS_SUBMITTED),
  'x-mc-inlinecss': only(false, AS_SUBMITTED),
  'x-mc-urlstripqs': only(false, AS_SUBMITTED),
  'x-mc-viewcontentlink': only(
    true,
    'must be true because content is kept according to the retention settings',
  ),
  'x-mc-template': refused(AS_SUBMITTED),
  'x-mc-mergevars': refused(AS_SUBMITTED),
  'x-mc-mergelanguage': refused(AS_SUBMITTED),
  'x-mc-googleanalytics': refused(AS_SUBMITTED),
  'x-mc-googleanalyticscampaign': refused(AS_SUBMITTED),
  'x-mc-bccaddress': refused(ENVELOPE),
  'x-mc-ippool': refused(NO_POOLS),
  'x-mc-returnpathdomain': refused(
    'is not supported: the return path is set by the DNS records of the domain. Remove it',
  ),
  'x-mc-trackingdomain': refused(
    'is not supported: the tracking host is set by the DNS records of the domain. Remove it',
  ),
  'x-mc-signingdomain': refused(
    'is not supported: the domain of the From address signs the message. Remove it',
  ),
  'x-ses-message-tags': (value, into) =>
    firstProblem(value.split(','), (pair) => addTag(into, pair.trim().replace(/\s*=\s*/, ':'))),
  'x-ses-tenant': text('subTenant'),
  'x-ses-configuration-set': (value, into) => addTag(into, `configuration-set:${value}`),
  'x-ses-list-management-options': refused(NO_GROUPS),
  'x-ses-source-arn': refused(NO_POOLS),
  'x-ses-from-arn': refused(NO_POOLS),
  'x-ses-return-path-arn': refused(NO_POOLS),
  'x-msys-api': refused(AS_SUBMITTED),
};
const PM_METADATA = 'x-pm-metadata-';

/** Reads a control field, named in lower case. Returns why it is refused. */
export function readVendorField(name: string, value: string, into: Requested): string | null {
  if (name.startsWith(PM_METADATA) && name !== PM_METADATA)
    return addEntry(name.slice(PM_METADATA.length), value, into);
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (reader === undefined) return 'is an unknown control header of another service. Remove it';
  return value === '' ? null : reader(value, into);
}

function readStream(value: string, into: Requested): string | null {
  if (value === 'outbound') return put(into, 'type', 'transactional');
  if (value === 'broadcast') return put(into, 'type', 'marketing');
  return 'must be outbound (transactional) or broadcast (marketing)';
}

function readTrackedLinks(value: string, into: Requested): string | null {
  const word = value.toLowerCase();
  if (word === 'none') return put(into, 'trackClicks', false);
  if (word === 'htmlandtext' || word === 'htmlonly') return put(into, 'trackClicks', true);
  return 'must be None, HtmlAndText or HtmlOnly because links in plain text are not tracked';
}

/** A comma-separated list of `opens` and `clicks_…`; unlisted values are off. */
function readMandrillTracking(value: string, into: Requested): string | null {
  const words = value.toLowerCase().split(/\s*,\s*/);
  const known = ['opens', 'clicks', 'clicks_all', 'clicks_htmlonly', 'none', 'false', 'no'];
  if (words.some((word) => !known.includes(word))) return `must list ${known.slice(0, 5).join(', ')}`;
  return (
    put(into, 'trackOpens', words.includes('opens')) ??
    put(
      into,
      'trackClicks',
      words.some((word) => word.startsWith('clicks')),
    )
  );
}

/** Reads what no other field has set. */
function readCommonSwitch(value: string, into: Requested): string | null {
  const isOn = parseFlag(value);
  if (isOn === null) return 'must be yes or no';
  into.trackOpens ??= isOn;
  into.trackClicks ??= isOn;
  return null;
}

const SMTP_API: Readonly<Record<string, (value: unknown, into: Requested) => string | null>> = {
  category: addCategories,
  categories: addCategories,
  unique_args: addArguments,
  custom_args: addArguments,
  send_at: (value, into) => {
    const seconds = Number(value);
    if (!Number.isInteger(seconds) || seconds < 0 || seconds > 99_999_999_999)
      return 'must be a Unix timestamp';
    return put(into, 'sendAt', new Date(seconds * 1000).toISOString());
  },
  batch_id: (value, into) =>
    typeof value === 'string' ? addTag(into, `batch_id:${value}`) : 'must be a string',
  filters: readFilters,
  to: () => ENVELOPE,
  sub: () => ENVELOPE,
  section: () => AS_SUBMITTED,
  send_each_at: () => ONE_TIME,
  asm: () => NO_GROUPS,
  asm_group_id: () => NO_GROUPS,
  asm_groups_to_display: () => NO_GROUPS,
  ip_pool: () => NO_POOLS,
};

function readSmtpApi(value: string, into: Requested): string | null {
  const read = parseJsonObject(value);
  if (read === null) return 'is not a JSON object';
  return firstProblem(Object.entries(read), ([name, one]) => {
    const reader = Object.hasOwn(SMTP_API, name) ? SMTP_API[name] : undefined;
    const problem = reader === undefined ? 'is unknown' : isEmpty(one) ? null : reader(one, into);
    return problem === null ? null : `${name.slice(0, 60)} ${problem}`;
  });
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function addCategories(value: unknown, into: Requested): string | null {
  return firstProblem([value].flat(), (one) =>
    typeof one === 'string' ? addTag(into, one) : 'must contain only strings',
  );
}

function addArguments(value: unknown, into: Requested): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  return addEntries(value as Record<string, unknown>, into);
}

const FILTERS: Readonly<Record<string, 'trackClicks' | 'trackOpens'>> = {
  clicktrack: 'trackClicks',
  opentrack: 'trackOpens',
};

/** Filters may be off; of those that are on, only the tracking is to be had. */
function readFilters(value: unknown, into: Requested): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  return firstProblem(Object.entries(value), ([name, filter]) => {
    const { enable } = (filter as { settings?: { enable?: unknown } } | null)?.settings ?? {};
    const isOn = parseFlag(JSON.stringify(enable ?? null).replaceAll('"', ''));
    if (isOn === null) return `${name.slice(0, 60)}.settings.enable must be 1 or 0`;
    const tracked = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (tracked !== undefined) return put(into, tracked, isOn);
    return isOn ? `${name.slice(0, 60)} ${AS_SUBMITTED}` : null;
  });
}
