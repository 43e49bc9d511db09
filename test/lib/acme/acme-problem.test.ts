// Tests refusals of an ACME server, and the advice to the operator.
import { describe, expect, it } from 'vitest';
import { acmeAdvice, readAcmeProblem } from '../../../src/lib/acme/acme-problem.rules.js';

const URN = 'urn:ietf:params:acme:error:';

describe('an ACME problem', () => {
  it.each<[string, unknown, unknown]>([
    [
      'as a problem document',
      { type: `${URN}rateLimited`, detail: 'too many\r\ncertificates', status: 429 },
      { type: 'rateLimited', detail: 'too many certificates' },
    ],
    [
      'inside of a challenge',
      {
        type: 'http-01',
        status: 'invalid',
        token: 'x',
        error: { type: `${URN}connection`, detail: 'Fetching http://a.example/: refused', status: 400 },
      },
      { type: 'connection', detail: 'Fetching http://a.example/: refused' },
    ],
    ['without words', { type: `${URN}dns` }, { type: 'dns', detail: '' }],
    ['of a strange type', { type: `${URN}<b>`, detail: 'x' }, { type: 'unknown', detail: 'x' }],
    [
      'very long',
      { type: `${URN}dns`, detail: 'y'.repeat(100_000) },
      { type: 'dns', detail: 'y'.repeat(512) },
    ],
    ['not there: a valid order', { status: 'valid', finalize: 'https://x' }, null],
    ['not there: another problem', { type: 'about:blank', detail: 'x' }, null],
    ['not there: a text', 'error', null],
    ['not there: null', null, null],
  ])('%s', (_name, document, expected) => {
    expect(readAcmeProblem(document)).toEqual(expected);
  });

  it.each([
    ['connection', /port 80/],
    ['dns', /A or AAAA records/],
    ['caa', /CAA/],
    ['untrusted', /MAILKEEL_EXTRA_CA_FILE/],
    ['constructor', /^See the error of the ACME server\.$/],
    ['unknown', /^See the error of the ACME server\.$/],
  ])('%s has advice', (type, expected) => {
    expect(acmeAdvice({ type, detail: '' })).toMatch(expected);
  });
});
