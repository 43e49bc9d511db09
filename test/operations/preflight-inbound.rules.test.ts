// Tests the conclusions of the preflight checks of inbound mail.
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/operations/preflight/preflight.rules.js';
import type { ReachFact } from '../../src/lib/smtp-replies/index.js';
import {
  judgeCertificate,
  judgeInboundPort,
  type CertificateFacts,
} from '../../src/operations/preflight/preflight-inbound.rules.js';

const HOST = 'mta.x.test';
const NOW = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

/** Passed checks have no advice, and all others do. */
function statusOf(result: CheckResult): string {
  expect(result.remedy === null).toBe(result.status === 'pass');
  return result.status;
}

const at = (outcome: ReachFact['outcome']): ReachFact => ({ host: HOST, address: '192.0.2.1', outcome });
const greeted = (greeting: string | null): ReachFact => at({ kind: 'reached', greeting });
const failed = (why: 'refused' | 'timeout' | 'other'): ReachFact => at({ kind: 'failed', why, error: why });

describe('the public port', () => {
  it.each<[string, ReachFact[], string]>([
    ['answers with our name', [greeted('220 mta.x.test ESMTP')], 'pass'],
    ['answers with our name in capitals', [greeted('220 MTA.X.test. ESMTP')], 'pass'],
    ['answers at both addresses', [greeted('220 mta.x.test'), greeted('220 mta.x.test ESMTP')], 'pass'],
    ['is somebody else at one of two', [greeted('220 mta.x.test'), greeted('220 mail.y.test ESMTP')], 'warn'],
    ['is somebody without a name', [greeted('220')], 'warn'],
    ['is silent', [greeted(null)], 'warn'],
    ['refuses', [failed('refused')], 'warn'],
    ['cannot be reached from here', [failed('timeout')], 'warn'],
    ['cannot be reached at one of two', [failed('other'), greeted('220 mta.x.test')], 'warn'],
    ['has no address', [], 'unknown'],
  ])('%s: %s', (_what, tries, status) => {
    expect(statusOf(judgeInboundPort(HOST, 25, tries))).toBe(status);
  });

  it('reports the worst of several results', () => {
    const tries = [failed('timeout'), failed('refused'), greeted('220 other.test')];
    expect(judgeInboundPort(HOST, 25, tries).observed).toContain('other.test');
    expect(judgeInboundPort(HOST, 25, tries.slice(0, 2)).observed).toContain('refused');
  });
});

describe('the certificate', () => {
  const good: CertificateFacts = {
    origin: 'files',
    names: [HOST],
    coversHost: true,
    notBefore: NOW - 30 * DAY,
    notAfter: NOW + 60 * DAY,
  };
  it.each<[string, Partial<CertificateFacts>, string, string]>([
    ['good', {}, 'pass', 'pass'],
    ['for another name', { coversHost: false, names: ['y.test'] }, 'warn', 'fail'],
    ['of our own making', { origin: 'self-signed' }, 'warn', 'fail'],
    ['at its end', { notAfter: NOW + 9 * DAY }, 'warn', 'warn'],
    ['beyond its end', { notAfter: NOW }, 'warn', 'fail'],
    [
      'for six days only',
      { origin: 'acme', notBefore: NOW - 3 * DAY, notAfter: NOW + 3 * DAY },
      'pass',
      'pass',
    ],
    ['for six days only, and not renewed', { notBefore: NOW - 5 * DAY, notAfter: NOW + DAY }, 'warn', 'warn'],
  ])('%s', (_what, change, lenient, strict) => {
    const terms = { hostname: HOST, mustVerify: false, now: NOW };
    const certificate = { ...good, ...change };
    expect(statusOf(judgeCertificate(certificate, terms))).toBe(lenient);
    expect(statusOf(judgeCertificate(certificate, { ...terms, mustVerify: true }))).toBe(strict);
  });

  it('that is unusable or missing', () => {
    const terms = { hostname: HOST, mustVerify: false, now: NOW };
    expect(statusOf(judgeCertificate('the file is gone', terms))).toBe('fail');
    expect(statusOf(judgeCertificate(null, terms))).toBe('unknown');
  });
});
