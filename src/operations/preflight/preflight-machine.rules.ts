// Checks of the host: resolver, DNSSEC, clock, disk, data folder, public URL, and the platform's DNS records.
import { isPublicName } from '../../lib/addresses/index.js';
import type { DnsAnswer } from '../../lib/dns-answers/index.js';
import type { ExpectedRecord, RecordJudgement } from '../../domains/dns-records.rules.js';
import { unknownResult, type CheckResult } from './preflight.rules.js';
import { groupedDigits } from '../../lib/rows/index.js';

const MIB = 1024 ** 2;
const DISK_FAIL_BYTES = 256 * MIB;
const DISK_WARN_BYTES = 2_048 * MIB;
const DISK_WARN_SHARE = 0.05;
const CLOCK_WARN_MS = 30_000;
const CLOCK_FAIL_MS = 300_000;
/** Earlier than any release, as the clock often is after a boot without a battery. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** `answer` is for a name that every full resolver can find. */
export function judgeResolver(name: string, answer: DnsAnswer<string>): CheckResult {
  const question = { name: 'resolver', subject: name, expected: 'NS records' } as const;
  switch (answer.kind) {
    case 'found':
      return { ...question, status: 'pass', observed: answer.records.slice(0, 3).join(', '), remedy: null };
    case 'no_data':
    case 'no_name': {
      const remedy = 'Set MAILKEEL_DNS_SERVERS to a resolver that can resolve all public DNS names.';
      return { ...question, status: 'warn', observed: 'response without NS records', remedy };
    }
    case 'failed': {
      const remedy =
        'Mailkeel cannot deliver mail without DNS. Check MAILKEEL_DNS_SERVERS or /etc/resolv.conf.';
      return { ...question, status: 'fail', observed: `no response (${answer.reason})`, remedy };
    }
  }
}

/** `problem` says why the resolver does not prove that it validates. `null` if it does. */
export function judgeDnssec(problem: string | null): CheckResult {
  const question = {
    name: 'dnssec',
    subject: null,
    expected: 'a validating resolver on this server',
  } as const;
  if (problem === null) return { ...question, status: 'pass', observed: 'validated', remedy: null };
  const remedy =
    'DANE is enabled but cannot be used. Run a validating resolver such as unbound on this server.';
  return { ...question, status: 'fail', observed: problem, remedy };
}

/** `peerAt` is the time of a web server at `now` (epoch ms). `null` if none was queried. */
export function judgeClock(now: number, peer: { at: number; host: string } | null): CheckResult {
  const remedy = 'Synchronize the clock with NTP. Signatures, certificates and retry times depend on it.';
  if (now < EARLIEST) {
    const observed = new Date(now).toISOString();
    return { name: 'clock', subject: null, status: 'fail', observed, expected: 'correct time', remedy };
  }
  if (!peer) {
    return unknownResult(
      'clock',
      null,
      'no time server to compare with',
      'Set MAILKEEL_PREFLIGHT_CLOCK_URL.',
    );
  }
  const offMs = now - peer.at;
  const question = {
    name: 'clock',
    subject: peer.host,
    expected: `within ${CLOCK_WARN_MS / 1000} s`,
  } as const;
  const observed = `${Math.round(Math.abs(offMs) / 1000)} s ${offMs < 0 ? 'behind' : 'ahead'}`;
  if (Math.abs(offMs) <= CLOCK_WARN_MS) return { ...question, status: 'pass', observed, remedy: null };
  return { ...question, status: Math.abs(offMs) > CLOCK_FAIL_MS ? 'fail' : 'warn', observed, remedy };
}

export function judgeDisk(disk: { freeBytes: number; totalBytes: number }): CheckResult {
  const { freeBytes, totalBytes } = disk;
  const question = { name: 'disk_space', subject: 'data folder', expected: '2 GiB and 5 % free' } as const;
  const share = totalBytes > 0 ? freeBytes / totalBytes : 0;
  const observed = `${groupedDigits(Math.floor(freeBytes / MIB))} MiB free (${Math.floor(share * 100)} %)`;
  const remedy = 'Free up disk space. Mailkeel stops accepting mail when the disk is full.';
  if (freeBytes < DISK_FAIL_BYTES) return { ...question, status: 'fail', observed, remedy };
  const isLittle = freeBytes < DISK_WARN_BYTES || share < DISK_WARN_SHARE;
  return isLittle
    ? { ...question, status: 'warn', observed, remedy }
    : { ...question, status: 'pass', observed, remedy: null };
}

/** `problem` says why the folder is not writable. `null` if it is. */
export function judgeDataFolder(problem: string | null): CheckResult {
  const question = { name: 'data_folder', subject: 'data folder', expected: 'writable' } as const;
  if (problem === null) return { ...question, status: 'pass', observed: 'writable', remedy: null };
  const remedy = 'Give the user that runs Mailkeel write access to MAILKEEL_DATA_DIR.';
  return { ...question, status: 'fail', observed: problem, remedy };
}

export function judgePublicUrl(text: string): CheckResult {
  const question = {
    name: 'public_url',
    subject: text,
    expected: 'https:// and a public hostname',
  } as const;
  const remedy = 'Set MAILKEEL_PUBLIC_URL to the HTTPS URL where recipients can reach this server.';
  const { protocol, hostname } = new URL(text);
  if (!isPublicName(hostname)) {
    const observed = 'links in mail do not use a public hostname';
    return { ...question, status: 'warn', observed, remedy };
  }
  if (protocol === 'https:') return { ...question, status: 'pass', observed: 'https', remedy: null };
  const observed = 'http only, but one-click unsubscribe requires https (RFC 8058)';
  return { ...question, status: 'warn', observed, remedy };
}

/** A DKIM or DMARC record of the platform's own domain. */
export function judgePlatformRecord(record: ExpectedRecord & RecordJudgement): CheckResult {
  const name = record.purpose === 'dmarc' ? 'dmarc' : 'dkim';
  const question = { name, subject: record.host, expected: record.value } as const;
  const observed = record.found.join(' | ').slice(0, 300);
  const remedy = `Publish the ${record.type} record that mailkeel admin dns shows for ${record.host}.`;
  switch (record.status) {
    case 'ok':
      return { ...question, status: 'pass', observed, remedy: null };
    case 'pending':
      return unknownResult(name, record.host, 'DNS lookup failed');
    case 'missing':
    case 'mismatch': {
      // A missing second key is harmless. With a wrong one, verifiers report failures.
      const isHarmless = record.purpose === 'dkim' && !record.required && record.status === 'missing';
      const shown = record.status === 'missing' ? 'no record' : observed;
      if (isHarmless) return { ...question, status: 'pass', observed: 'no record (optional)', remedy: null };
      return { ...question, status: record.required ? 'fail' : 'warn', observed: shown, remedy };
    }
  }
}
