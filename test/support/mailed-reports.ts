// Builds DMARC and TLS reports as providers mail them: the XML and JSON of several writers, compressed, in a mail.
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

interface ReportedRow {
  ip: string;
  count: number;
  disposition?: string;
  dkim?: 'pass' | 'fail';
  spf?: 'pass' | 'fail';
  headerFrom?: string;
  envelopeFrom?: string;
  /** Type of the receiver's reason. */
  reason?: string;
  authDkim?: readonly { domain: string; selector?: string; result: string }[];
  authSpf?: { domain: string; result: string };
}

export interface ReportWish {
  orgName?: string;
  reportId?: string;
  domain: string;
  /** Epoch ms of the first second; a day. */
  from: number;
  rows: readonly ReportedRow[];
  /** Written behind the root's beginning. */
  inside?: string;
  /** Attributes of the root. */
  root?: string;
  /** Before the root. */
  prolog?: string;
}

const DAY_S = 86_400;

/** As Google and most others write it. */
export function dmarcXml(wish: ReportWish): string {
  const { orgName = 'google.com', reportId = '1234567890', domain, from, rows } = wish;
  const begin = Math.floor(from / 1000);
  const { prolog = '<?xml version="1.0" encoding="UTF-8" ?>', root = '', inside = '' } = wish;
  return `${prolog}
<feedback${root}>${inside}
  <report_metadata>
    <org_name>${orgName}</org_name>
    <email>noreply-dmarc-support@google.com</email>
    <extra_contact_info>https://support.google.com/a/answer/2466580</extra_contact_info>
    <report_id>${reportId}</report_id>
    <date_range><begin>${begin}</begin><end>${begin + DAY_S - 1}</end></date_range>
  </report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><sp>none</sp><pct>100</pct></policy_published>
${rows.map((row) => rowXml(row, domain)).join('\n')}
</feedback>
`;
}

function rowXml(row: ReportedRow, domain: string): string {
  const { ip, count, disposition = 'none', dkim = 'fail', spf = 'fail', reason } = row;
  const reasonXml =
    reason === undefined ? '' : `<reason><type>${reason}</type><comment>arc=pass</comment></reason>`;
  const dkimXml = (row.authDkim ?? []).map(
    (one) =>
      `<dkim><domain>${one.domain}</domain><result>${one.result}</result>${one.selector === undefined ? '' : `<selector>${one.selector}</selector>`}</dkim>`,
  );
  const { authSpf } = row;
  const spfXml = authSpf
    ? `<spf><domain>${authSpf.domain}</domain><result>${authSpf.result}</result></spf>`
    : '';
  const envelope = row.envelopeFrom === undefined ? '' : `<envelope_from>${row.envelopeFrom}</envelope_from>`;
  return `  <record>
    <row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>${reasonXml}</policy_evaluated></row>
    <identifiers>${envelope}<header_from>${row.headerFrom ?? domain}</header_from></identifiers>
    <auth_results>${dkimXml.join('')}${spfXml}</auth_results>
  </record>`;
}

/** According to RFC 8460. */
export function tlsJson(wish: {
  domain: string;
  from: number;
  successes: number;
  failures?: readonly { type: string; sessions: number; mx?: string }[];
  reportId?: string;
}): string {
  const { domain, from, successes, failures = [], reportId = '2026-11-20T00:00:00Z_shop' } = wish;
  const failed = failures.reduce((sum, { sessions }) => sum + sessions, 0);
  return JSON.stringify({
    'organization-name': 'Google Inc.',
    'date-range': {
      'start-datetime': new Date(from).toISOString(),
      'end-datetime': new Date(from + DAY_S * 1000 - 1000).toISOString(),
    },
    'contact-info': 'smtp-tls-reporting@google.com',
    'report-id': reportId,
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-string': ['version: STSv1'], 'policy-domain': domain },
        summary: { 'total-successful-session-count': successes, 'total-failure-session-count': failed },
        'failure-details': failures.map(({ type, sessions, mx = 'mx.example' }) => ({
          'result-type': type,
          'sending-mta-ip': '2001:db8::1',
          'receiving-mx-hostname': mx,
          'failed-session-count': sessions,
        })),
      },
    ],
  });
}

/** A zip archive, written by hand so that its sizes can be false. */
export function zipOf(
  entries: readonly { name: string; content: Uint8Array; claimedBytes?: number }[],
): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedBytes = content.byteLength } of entries) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedBytes, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

export interface AttachedReport {
  type: string;
  filename: string;
  content: Uint8Array;
}

export const gzipped = (text: string, name = 'google.com!shop.example!1!2.xml'): AttachedReport => ({
  type: 'application/gzip',
  filename: `${name}.gz`,
  content: gzipSync(text),
});

export const zipped = (text: string, name = 'google.com!shop.example!1!2.xml'): AttachedReport => ({
  type: 'application/zip',
  filename: name.replace(/\.xml$/, '.zip'),
  content: zipOf([{ name, content: Buffer.from(text) }]),
});

/** The mail in its usual form: a short text with the report attached. */
export function reportMail(
  to: string,
  report: AttachedReport,
  from = 'noreply-dmarc-support@google.com',
): string {
  const lines =
    Buffer.from(report.content)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return [
    `From: ${from}`,
    `To: ${to}`,
    'Subject: Report domain: shop.example Submitter: google.com Report-ID: 1234567890',
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'Message-ID: <1234567890@google.com>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain',
    '',
    'This is an aggregate report.',
    '--b1',
    `Content-Type: ${report.type}; name="${report.filename}"`,
    `Content-Disposition: attachment; filename="${report.filename}"`,
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
    '--b1--',
    '',
  ].join('\r\n');
}
