// Reads DMARC aggregate reports (RFC 7489 appendix C and its successor RFC 9990) as providers write them.
// Refuses a document type, so the only entities are XML's own five. Requires well-formed XML (XML 1.0
// section 2.1, Namespaces in XML section 7), but accepts any namespace, since writers use several. Ignores
// unknown elements and those of other namespaces.
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { canonicalAddress, isAddress } from '../addresses/index.js';
import { canonicalHost } from '../dns-answers/index.js';
import { decodeCharset, shownLine } from '../mime/index.js';
import { DMARC_DISPOSITIONS, type DmarcRecord } from '../sender-policy/index.js';
import { ReportProblem, type ReportLimits } from './report-limits.js';

export interface DmarcReport {
  kind: 'dmarc';
  org_name: string;
  report_id: string;
  /** Epoch ms. */
  from: number;
  to: number;
  /** The domain whose record requested the report. */
  domain: string;
  /** The policy as the reporter saw it, by element name (p, sp, np, adkim, aspf, pct, testing …). */
  policy: Record<string, string>;
  /** The program that wrote the report (RFC 9990); `null` if not named. */
  generator: string | null;
  records: DmarcRecord[];
}

const POLICY_FIELDS = new Set(
  'p sp np adkim aspf pct fo psd t testing discovery_method version_published'.split(' '),
);
const MAX_SIGNATURES = 8;
const MAX_REASONS = 5;
const MAX_NAME = 253;
const MAX_TEXT = 255;
const HOST =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads a report. Throws a ReportProblem. */
export function readDmarcReport(content: Uint8Array, limits: ReportLimits): DmarcReport {
  const reading = new DmarcReading(limits);
  const parser = new SaxesParser({ xmlns: true });
  parser.on('doctype', () => {
    throw new ReportProblem('document_type');
  });
  parser.on('opentag', (tag) => reading.open(tag));
  parser.on('text', (text) => reading.text(text));
  parser.on('cdata', (text) => reading.text(text));
  parser.on('closetag', () => reading.close());
  parser.on('error', ({ message }) => {
    throw new ReportProblem('malformed', message);
  });
  parser.write(decodeReport(content)).close();
  return reading.report();
}

/** Decodes the text. A byte order mark overrides the declaration (RFC 7303 section 3). */
function decodeReport(content: Uint8Array): string {
  const start = Buffer.from(content.subarray(0, 200)).toString('latin1');
  const declared = /^[^<]{0,4}<\?xml[^>]{1,100}encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(start)?.[1];
  const mark = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[start.slice(0, 2)];
  const isMarked8 = start.startsWith('\xef\xbb\xbf');
  const text = decodeCharset(content, mark ?? (isMarked8 ? 'utf-8' : (declared ?? 'utf-8')));
  // Some writers put blank lines before the declaration, which XML forbids.
  return text.replace(/^\uFEFF/, '').trimStart();
}

type Values = Record<string, string>;

/** Elements that occur once in their place. If one is repeated, neither can be trusted. */
const SINGLE = new Set([
  ...['report_metadata', 'policy_published', 'date_range', 'begin', 'end', 'report_id', 'org_name'],
  ...['row', 'source_ip', 'count', 'policy_evaluated', 'header_from'],
]);

/** Collects the values of a report as its elements close. */
class DmarcReading {
  readonly #limits: ReportLimits;
  readonly #path: string[] = [];
  /** Names of `SINGLE` seen in each open element, innermost last. */
  readonly #once: Set<string>[] = [new Set()];
  /** Namespace of the root. */
  #namespace = '';
  #text = '';
  readonly #metadata: Values = {};
  readonly #published: Values = {};
  readonly #records: DmarcRecord[] = [];
  #row: Values = {};
  #reasons: string[] = [];
  #signatures: Values[] = [];
  #spf: Values[] = [];
  /** The open signature or SPF result. */
  #part: Values = {};

  constructor(limits: ReportLimits) {
    this.#limits = limits;
  }

  open({ local, uri }: Pick<SaxesTagNS, 'local' | 'uri'>): void {
    if (this.#path.length >= this.#limits.depth) throw new ReportProblem('too_deep');
    if (this.#path.length === 0) this.#namespace = uri;
    // Some writers omit the root's namespace from the elements inside it.
    const name = uri === this.#namespace || uri === '' ? local.toLowerCase() : '';
    if (this.#path.length === 0 && name !== 'feedback') {
      throw new ReportProblem('not_a_report', `the root is <${local}>`);
    }
    this.#countSingle(name);
    this.#path.push(name);
    this.#once.push(new Set());
    this.#text = '';
    if (this.#path.length === 2 && name === 'record') this.#beginRecord();
    if (this.#path.length === 4 && this.#path[2] === 'auth_results') this.#part = {};
  }

  #countSingle(name: string): void {
    const had = this.#once.at(-1);
    if (!SINGLE.has(name) || had === undefined) return;
    if (had.has(name)) throw new ReportProblem('malformed', `<${name}> stands twice`);
    had.add(name);
  }

  text(text: string): void {
    if (this.#text.length < this.#limits.textLength) {
      this.#text += text.slice(0, this.#limits.textLength - this.#text.length);
    }
  }

  close(): void {
    const [, section = '', group = '', field = '', detail = '', last = ''] = this.#path;
    const value = shownLine(this.#text.trim(), MAX_TEXT);
    this.#text = '';
    const depth = this.#path.length;
    this.#path.pop();
    this.#once.pop();
    switch (section) {
      case 'report_metadata':
        if (depth === 3) this.#metadata[group] ??= value;
        if (depth === 4 && group === 'date_range') this.#metadata[field] ??= value;
        return;
      case 'policy_published':
        if (depth === 3) this.#published[group] ??= value;
        return;
      case 'record':
        if (depth === 2) this.#endRecord();
        else if (last === '') this.#inRecord({ depth, group, field, detail, value });
        else if (detail === 'reason' && last === 'type') this.#reason(value);
    }
  }

  #inRecord(at: { depth: number; group: string; field: string; detail: string; value: string }): void {
    const { depth, group, field, detail, value } = at;
    const isIdentifier = group === 'identifiers' || group === 'identities';
    if (depth === 4 && (group === 'row' || isIdentifier)) this.#row[field] ??= value;
    if (group === 'row' && field === 'policy_evaluated' && depth === 5) {
      this.#row[`evaluated_${detail}`] ??= value;
    }
    if (group !== 'auth_results') return;
    if (depth === 5) this.#part[detail] ??= value;
    if (depth === 4 && field === 'dkim' && this.#signatures.length < MAX_SIGNATURES) {
      this.#signatures.push(this.#part);
    }
    if (depth === 4 && field === 'spf' && this.#spf.length < MAX_SIGNATURES) this.#spf.push(this.#part);
  }

  #reason(type: string): void {
    if (/^[a-z_]{1,40}$/.test(type) && this.#reasons.length < MAX_REASONS) this.#reasons.push(type);
  }

  #beginRecord(): void {
    if (this.#records.length >= this.#limits.records) throw new ReportProblem('too_many_records');
    this.#row = {};
    this.#reasons = [];
    this.#signatures = [];
    this.#spf = [];
  }

  /** Skips rows without an address or a count. */
  #endRecord(): void {
    const row = this.#row;
    const written = row['count'] ?? '1';
    const count = /^\d{1,10}$/.test(written) ? Number(written) : 0;
    if (!isAddress(row['source_ip'] ?? '') || count < 1 || count > 1e9) return;
    const spf = this.#spf.find(({ scope }) => scope !== 'helo') ?? this.#spf[0];
    this.#records.push({
      source_ip: canonicalAddress(row['source_ip'] ?? ''),
      count,
      disposition: DMARC_DISPOSITIONS.find((one) => one === row['evaluated_disposition']) ?? 'none',
      dkim: row['evaluated_dkim'] === 'pass' ? 'pass' : 'fail',
      spf: row['evaluated_spf'] === 'pass' ? 'pass' : 'fail',
      reasons: [...new Set(this.#reasons)],
      header_from: readHost(row['header_from']) ?? '',
      envelope_from: readHost(row['envelope_from']),
      auth_dkim: this.#signatures.map((signature) => ({
        domain: readHost(signature['domain']) ?? '',
        selector: (signature['selector'] ?? '').slice(0, MAX_NAME),
        result: readResult(signature['result']),
      })),
      auth_spf: spf ? { domain: readHost(spf['domain']) ?? '', result: readResult(spf['result']) } : null,
    });
  }

  report(): DmarcReport {
    const domain = readHost(this.#published['domain']);
    const [from, to] = [this.#metadata['begin'], this.#metadata['end']].map(secondsAt);
    const reportId = this.#metadata['report_id'] ?? '';
    if (domain === null || from === undefined || to === undefined || to < from || reportId === '') {
      throw new ReportProblem('incomplete');
    }
    const policy = Object.entries(this.#published).filter(([name]) => POLICY_FIELDS.has(name));
    return {
      kind: 'dmarc',
      org_name: this.#metadata['org_name'] ?? '',
      report_id: reportId,
      from,
      to,
      domain,
      policy: Object.fromEntries(policy.map(([name, value]) => [name, value.slice(0, 40)])),
      generator: this.#metadata['generator'] ?? null,
      // A row without a domain is about the report's domain.
      records: this.#records.map((record) => ({ ...record, header_from: record.header_from || domain })),
    };
  }
}

function readResult(text = ''): string {
  return /^[a-z_]{1,20}$/i.exec(text)?.[0].toLowerCase() ?? 'none';
}

/** Returns a host name in lower case without a final dot, or `null`. */
function readHost(text: string | undefined): string | null {
  const name = canonicalHost((text ?? '').replace(/^.*@/, '').slice(0, MAX_TEXT));
  return HOST.test(name) ? name : null;
}

/** Epoch ms. */
function secondsAt(text = ''): number | undefined {
  return /^\d{9,11}$/.test(text) ? Number(text) * 1000 : undefined;
}
