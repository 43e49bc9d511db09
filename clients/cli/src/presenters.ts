// Answers that a person reads better than as names and values.
import { commandOfCall } from './command-name.js';
import { cellText, cleanLines, cleanText, fields, styleOf, table, type Printer, type Row } from './output.js';

type Presenter = (printer: Printer, answer: Row) => string;

const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const textOf = (value: unknown): string => cellText(value);

export const PRESENTERS: Readonly<Record<string, Presenter>> = {
  'messages.explain': explanationText,
  'messages.getAudit': trailText,
  'campaigns.preview': previewText,
  'health.getChecks': checksText,
  'health.runChecks': checksText,
  'senders.getAuthentication': domainText,
  'subTenants.getAuthentication': domainText,
  'senders.create': ownerText,
  'senders.get': ownerText,
  'senders.verify': ownerText,
  'subTenants.create': ownerText,
  'subTenants.get': ownerText,
  'subTenants.verify': ownerText,
  'me.get': meText,
  'nodes.list': nodesText,
  'routeShares.get': shareText,
  'routeShares.update': shareText,
};

export function explanationText(printer: Printer, answer: Row): string {
  const { message_id: id, status, summary, chain, next, advice } = answer;
  const lines = [`${textOf(id)}  ${painted(printer, textOf(status))}`, textOf(summary), ''];
  for (const step of rowsOf(chain))
    lines.push(`  ${printer.paint('dim', textOf(step['at']))}  ${textOf(step['text'])}`);
  if (typeof next === 'object' && next !== null) {
    const { at, what } = next as Row;
    lines.push('', `Next: ${textOf(what)} (${textOf(at)})`);
  }
  const things = rowsOf(advice);
  if (things.length > 0) lines.push('', 'Suggestions:', ...things.flatMap(adviceLines));
  return lines.join('\n');
}

function adviceLines({ text, calls }: Row): string[] {
  const commands = rowsOf(calls).flatMap((call) => commandOfCall(call) ?? []);
  return [`  - ${textOf(text)}`, ...commands.map((command) => `      ${cleanText(command)}`)];
}

function trailText(printer: Printer, answer: Row): string {
  const columns = ['timestamp', 'event', 'actor', 'metadata'];
  const rows = rowsOf(answer['trail']).map((entry) => columns.map((name) => entry[name]));
  return `${textOf(answer['message_id'])}  ${painted(printer, textOf(answer['status']))}\n${table(printer, columns, rows)}`;
}

function previewText(printer: Printer, answer: Row): string {
  const copies = rowsOf(answer['data']).map((copy) => {
    const { email, name, variant, edited, subject, text, html, problem } = copy;
    const marks = [
      variant === null ? '' : `variant ${textOf(variant)}`,
      edited === true ? 'edited' : '',
    ].filter(Boolean);
    const head = `${textOf(email)}${name === null ? '' : ` (${textOf(name)})`}${marks.length > 0 ? `  [${marks.join(', ')}]` : ''}`;
    const body = typeof text === 'string' && text !== '' ? text : withoutTags(html);
    const trouble =
      problem === null ? [] : [printer.paint('red', `Can't be sent: ${textOf((problem as Row)['message'])}`)];
    return [printer.paint('bold', head), ...trouble, `Subject: ${textOf(subject)}`, indented(body)].join(
      '\n',
    );
  });
  // Null while the server counts a large audience.
  const total = answer['total'] === null ? 'an unknown number of' : textOf(answer['total']);
  const shown = `${copies.length} of ${total} recipients`;
  const more = answer['has_more'] === true ? ' (use --cursor to see more)' : '';
  return [...copies, printer.paint('dim', shown + more)].join('\n\n');
}

function withoutTags(html: unknown): string {
  return typeof html === 'string'
    ? html
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    : '';
}

function indented(text: string): string {
  return cleanLines(text.trimEnd())
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

const MARKS: Readonly<Record<string, string>> = { pass: 'ok', warn: 'WARN', fail: 'FAIL', unknown: '?' };

export function checksText(printer: Printer, answer: Row): string {
  const checks = rowsOf(answer['data']);
  const rows = checks.map(({ status, name, subject, observed }) => [
    MARKS[textOf(status)],
    name,
    subject,
    observed,
  ]);
  const advice = checks
    .filter(({ status }) => status === 'fail' || status === 'warn')
    .flatMap(({ name, subject, expected, remedy }) => [
      '',
      printer.paint(
        'bold',
        cleanText(`${textOf(name)} ${subject === null ? '' : textOf(subject)}`.trimEnd()),
      ),
      `  expected: ${textOf(expected)}`,
      ...(remedy === null ? [] : [`  fix: ${textOf(remedy)}`]),
    ]);
  const verdict = {
    fail: 'Some checks failed. The server is not ready to send mail.',
    unknown: 'Some checks could not be completed.',
  }[textOf(answer['status'])];
  if (checks.length === 0) return 'No check results. Run "mailkeel doctor" to check the server now.';
  return [
    table(printer, ['', 'check', 'subject', 'observed'], rows),
    ...advice,
    '',
    verdict ?? 'The server is ready to send mail.',
  ].join('\n');
}

/** Shows the DNS records of a sender or sub-tenant with the values that were found. */
export function domainText(printer: Printer, answer: Row): string {
  const domain = textOf(answer['domain'] ?? answer['sending_domain']);
  const lines = [`${printer.paint('bold', domain)}  ${painted(printer, textOf(answer['status']))}`];
  for (const record of rowsOf(answer['records'] ?? answer['dns_records'])) {
    const {
      purpose,
      type,
      host,
      value,
      priority,
      required,
      status,
      found,
      advice,
      missing_setting: missing,
    } = record;
    const state = painted(printer, textOf(status));
    const before = typeof priority === 'number' ? `${priority} ` : '';
    lines.push(
      '',
      `${state}  ${textOf(purpose)}${required === true ? '' : ' (optional)'}  ${textOf(type)} ${textOf(host)}`,
      value === null
        ? `  fix       set ${textOf(missing)} on the server`
        : `  expected  ${before}${textOf(value)}`,
    );
    if (value === null) continue;
    for (const one of Array.isArray(found) ? found : []) lines.push(`  found     ${textOf(one)}`);
    if (Array.isArray(found) && found.length === 0) lines.push(`  found     nothing`);
    if (typeof advice === 'string' && status !== 'ok') lines.push(`  fix       ${textOf(advice)}`);
  }
  return lines.join('\n');
}

/** A short form for repeated checks: expected and found side by side, cut at the edge of the screen. */
export function recordsTable(printer: Printer, answer: Row): string {
  const domain = textOf(answer['domain'] ?? answer['sending_domain']);
  const rows = rowsOf(answer['records']).map(
    ({ status, required, purpose, type, host, value, found, missing_setting: missing }) => [
      status,
      `${textOf(purpose)}${required === true ? '*' : ''}`,
      `${textOf(type)} ${textOf(host)}`,
      value ?? `set ${textOf(missing)}`,
      value === null ? '' : Array.isArray(found) && found.length > 0 ? found : 'nothing',
    ],
  );
  return [
    `${printer.paint('bold', domain)}  ${painted(printer, textOf(answer['status']))}  ${printer.paint('dim', '* required; for full values, run mailkeel domains records <id>')}`,
    table(printer, ['status', 'for', 'record', 'expected', 'found'], rows),
  ].join('\n');
}

/** A sender or sub-tenant, with the records of its domain in full: they are copied from here. */
function ownerText(printer: Printer, answer: Row): string {
  const { dns_records: records, ...rest } = answer;
  const isEmpty = rowsOf(records).length === 0;
  return isEmpty ? fields(printer, rest) : `${fields(printer, rest)}\n\n${domainText(printer, answer)}`;
}

export function meText(printer: Printer, answer: Row): string {
  const {
    mode,
    permission,
    api_key: key,
    person,
    organization,
    workspace,
    sub_tenant_id: subTenant,
  } = answer;
  const user = (person as { user?: Row; role?: unknown } | null)?.user;
  const who =
    user === undefined
      ? { key: `${textOf((key as Row | null)?.['name'])} (${textOf((key as Row | null)?.['key_prefix'])}…)` }
      : { person: user['email'], role: (person as Row)['role'] };
  return fields(printer, {
    ...who,
    environment: mode,
    permission,
    organization: placeText(organization),
    workspace: placeText(workspace),
    ...(subTenant === null ? {} : { sub_tenant: subTenant }),
  });
}

function placeText(place: unknown): string {
  const { id, name } = place as Row;
  return name === null ? textOf(id) : `${textOf(name)} (${textOf(id)})`;
}

/** Lists of roles and rooms are too long for a table, so they are printed below it. */
function nodesText(printer: Printer, answer: Row): string {
  const nodes = rowsOf(answer['data']);
  if (nodes.length === 0) return 'No nodes. This server uses SQLite and runs alone.';
  const nameOf = ({ host, is_this: isThis }: Row): string =>
    isThis === true ? `${textOf(host)} *` : textOf(host);
  const rows = nodes.map((node) => {
    const { version, status, path_leases: leases, sources, seen_at: seen } = node;
    return [nameOf(node), version, status, leases, seen, sources];
  });
  const head = ['host', 'version', 'status', 'path leases', 'seen', 'sources'];
  const work = nodes.flatMap((node) => [
    '',
    printer.paint('bold', nameOf(node)),
    `  roles  ${textOf(node['roles'])}`,
    `  rooms  ${textOf(node['rooms'])}`,
  ]);
  return [
    table(printer, head, rows),
    ...work,
    '',
    printer.paint('dim', '* the node that answered this request'),
  ].join('\n');
}

/** Shows both sides of a route next to each other. */
function shareText(printer: Printer, share: Row): string {
  const { direct, smarthost, rise, ...facts } = share;
  const [one, other] = [direct as Row, smarthost as Row];
  const rates = [one['rates'] as Row, other['rates'] as Row] as const;
  const counts = ['sent', 'delivered', 'deferred', 'bounced', 'complained', 'opened'];
  const rows = [
    ['via', one['via'], other['via']],
    ...counts.map((name) => [name, one[name], other[name]]),
    ...Object.keys(rates[0]).map((name) => [
      `${name} rate`,
      percentOf(rates[0][name]),
      percentOf(rates[1][name]),
    ]),
  ];
  const plan = typeof rise === 'object' && rise !== null ? ['', fields(printer, { rise })] : [];
  return [fields(printer, facts), ...plan, '', table(printer, ['', 'direct', 'smarthost'], rows)].join('\n');
}

function percentOf(rate: unknown): string {
  return typeof rate === 'number' ? `${(rate * 100).toFixed(2)} %` : '-';
}

export function painted(printer: Printer, status: string): string {
  const style = styleOf(status);
  return style === null ? status : printer.paint(style, status);
}

/** Shows a summary of the queue and its destinations. */
export function queueText(printer: Printer, queue: Row, destinations: readonly Row[]): string {
  const waiting = destinations.map(
    ({ domain, depth, state, next_attempt_at: next, reason, last_reply: reply }) => [
      domain,
      depth,
      state,
      next,
      reasonText(reason) ?? (reply as { message?: unknown } | null)?.message,
    ],
  );
  return [
    fields(printer, queue),
    '',
    waiting.length === 0
      ? 'The queue is empty.'
      : table(printer, ['domain', 'messages', 'state', 'next attempt', 'reason'], waiting),
  ].join('\n');
}

function reasonText(reason: unknown): unknown {
  return typeof reason === 'object' && reason !== null ? (reason as Row)['text'] : null;
}
