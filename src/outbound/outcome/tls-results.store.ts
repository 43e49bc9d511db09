// TLS results per day and domain, for daily TLS reports (RFC 8460 section 4).
import { canonicalJson } from '../../lib/json/index.js';
import {
  DAY_MS,
  type TlsPolicyText,
  type TlsPolicyType,
  type TlsSessionCount,
} from '../../lib/tls-policy/index.js';
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import type { Committer } from '../../database/committer.js';
import type { Tx, Value } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';

/** Largest number of rows per day and domain. Further results are only counted by type. */
const MAX_ROWS = 1_000;
const MAX_DETAIL = 200;
const MAX_HOST = 253;
const MAX_IP = 45;
const MAX_POLICY_LINE = 300;
/** PostgreSQL limits index entries to 2,704 bytes, which the policy shares with names and addresses. */
const MAX_POLICY_BYTES = 1_500;

/** A number of sessions with the same TLS result. */
export interface TlsResult extends TlsSessionCount {
  /** Epoch ms, which determines the day of the report. */
  at: number;
  /** The recipients' domain. */
  domain: string;
}

const KEY = `day = ? AND domain = ? AND policy_type = ? AND policy = ? AND result_type = ? AND mx_host = ?
  AND sending_ip = ? AND receiving_ip = ?`;
const COUNT_MORE = `UPDATE tls_results SET sessions = sessions + ? WHERE ${KEY} RETURNING 1 AS one`;
const ROWS_OF = 'SELECT COUNT(*) AS n FROM tls_results WHERE day = ? AND domain = ?';
const INSERT = `INSERT INTO tls_results
  (day, domain, policy_type, policy, result_type, mx_host, sending_ip, receiving_ip, detail, sessions)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (day, domain, policy_type, policy, result_type, mx_host, sending_ip, receiving_ip)
  DO UPDATE SET sessions = tls_results.sessions + excluded.sessions`;

export function createTlsResultStore(committer: Committer) {
  return {
    /** Adds results to the counts in one commit. Details of successes are not stored. */
    async add(results: readonly TlsResult[]): Promise<void> {
      const rows = addedUp(results);
      if (rows.length === 0) return;
      await committer.commit(async ({ tx }) => {
        const known = new Map<string, number>();
        for (const row of rows) await addRow(tx, row, known);
      });
    },
  };
}

interface ResultRow {
  day: number;
  domain: string;
  /** Columns of the primary key, in order. */
  key: Value[];
  detail: string;
  sessions: number;
}

/** Sums results with the same key, so that each key takes one statement. */
function addedUp(results: readonly TlsResult[]): ResultRow[] {
  const rows = new Map<string, ResultRow>();
  for (const result of results) {
    const row = resultRow(result);
    const id = JSON.stringify(row.key);
    const known = rows.get(id);
    if (known) known.sessions += row.sessions;
    else rows.set(id, row);
  }
  return [...rows.values()];
}

function resultRow(result: TlsResult): ResultRow {
  const day = Math.floor(result.at / DAY_MS);
  const domain = result.domain.toLowerCase();
  const isSuccess = result.resultType === 'success';
  const place = isSuccess
    ? ['', '', '']
    : [
        ascii(result.mxHost, MAX_HOST).toLowerCase(),
        ascii(result.sendingIp, MAX_IP),
        ascii(result.receivingIp, MAX_IP),
      ];
  const policy = policyColumn(result.policyType, result.policy);
  return {
    day,
    domain,
    key: [day, domain, result.policyType, policy, result.resultType, ...place],
    detail: isSuccess ? '' : cleanReplyText(result.detail).slice(0, MAX_DETAIL).toWellFormed(),
    sessions: result.sessions,
  };
}

/** Replaces characters outside ASCII, so that a name or address takes one byte per character of the index entry. */
function ascii(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[^\x21-\x7e]/g, '?');
}

function oneLine(text: string): string {
  return text
    .slice(0, MAX_POLICY_LINE)
    .replace(/[\p{Cc}\s]/gu, ' ')
    .toWellFormed();
}

/** Formats a policy in canonical form. A policy that is too long for the key is shortened. */
function policyColumn(type: TlsPolicyType, policy: TlsPolicyText | null): string {
  if (policy === null) return '';
  const strings = policy.strings.slice(0, 100).map(oneLine);
  const mx = policy.mx.slice(0, 100).map((host) => ascii(host, MAX_HOST));
  // DNS returns records in any order.
  if (type === 'tlsa') strings.sort();
  for (;;) {
    const text = canonicalJson({ strings, mx });
    if (Buffer.byteLength(text) <= MAX_POLICY_BYTES) return text;
    if (strings.length >= mx.length) strings.pop();
    else mx.pop();
  }
}

async function addRow(tx: Tx, row: ResultRow, known: Map<string, number>): Promise<void> {
  if ((await tx.run(COUNT_MORE, [row.sessions, ...row.key])).length > 0) return;
  const group = `${row.day} ${row.domain}`;
  const count = known.get(group) ?? (await countRows(tx, row));
  if (count < MAX_ROWS) {
    await tx.run(INSERT, [...row.key, row.detail, row.sessions]);
    known.set(group, count + 1);
    return;
  }
  known.set(group, count);
  const [day, domain, policyType, , resultType] = row.key;
  const folded = [day, domain, policyType, '', resultType, '', '', ''].map((value) => value ?? '');
  await tx.run(INSERT, [...folded, '', row.sessions]);
}

async function countRows(tx: Tx, { day, domain }: ResultRow): Promise<number> {
  const [row] = await rowsAs<{ n: number }>(tx.run(ROWS_OF, [day, domain]));
  return row?.n ?? 0;
}
