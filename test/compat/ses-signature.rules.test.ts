// Tests Signature Version 4 with the examples that AWS publishes for it.
import { describe, expect, it } from 'vitest';
import {
  canonicalRequest,
  isSignedBy,
  parseAmzDate,
  parseAuthorization,
  sha256,
  type SignedRequest,
} from '../../src/compat/ses/signature.rules.js';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const DATE = '20150830T123600Z';

interface Example {
  method?: string;
  path?: string;
  query?: string;
  headers?: Record<string, string[]>;
  body?: string;
}

function requestOf({
  method = 'GET',
  path = '/',
  query = '',
  headers = {},
  body = '',
}: Example): SignedRequest {
  const all: Record<string, string[]> = {
    host: ['example.amazonaws.com'],
    'x-amz-date': [DATE],
    ...headers,
  };
  return {
    ...{ method, path, query, amzDate: DATE, bodyHash: sha256(body) },
    headerValues: (name) => all[name] ?? [],
  };
}

const authorizationOf = (signature: string, signedHeaders: readonly string[]) =>
  parseAuthorization(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`,
  );

const EXAMPLES: [name: string, signature: string, example: Example][] = [
  ['get-vanilla', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31', {}],
  [
    'get-vanilla-query-order-key-case',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    { query: 'Param2=value2&Param1=value1' },
  ],
  [
    'get-header-value-trim',
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    { headers: { 'my-header1': [' value1'], 'my-header2': [' "a   b   c"'] } },
  ],
  [
    'get-header-key-duplicate',
    'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
    { headers: { 'my-header1': ['value2', 'value2', 'value1'] } },
  ],
  ['post-vanilla', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b', { method: 'POST' }],
  [
    'post-x-www-form-urlencoded',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    {
      method: 'POST',
      headers: { 'content-type': ['application/x-www-form-urlencoded'] },
      body: 'Param1=value1',
    },
  ],
  [
    'get-relative',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    { path: '/example/..' },
  ],
  ['get-slash', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31', { path: '//' }],
  [
    'get-vanilla-utf8-query',
    '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
    { query: '%E1%88%B4=bar' },
  ],
];

describe.each(EXAMPLES)('the example %s', (_name, signature, example) => {
  const request = requestOf(example);
  const names = ['host', 'x-amz-date', ...Object.keys(example.headers ?? {})].sort();
  const authorization = authorizationOf(signature, names);

  it('is signed by the secret, and by no other', () => {
    expect(authorization && isSignedBy(SECRET, authorization, request)).toBe(true);
    expect(authorization && isSignedBy(`${SECRET}x`, authorization, request)).toBe(false);
  });

  it.each([
    ['method', { method: 'PUT' }],
    ['path', { path: '/other' }],
    ['query', { query: 'Other=1' }],
    ['body', { bodyHash: sha256('other') }],
    ['time', { amzDate: '20150830T123601Z' }],
  ])('is not with another %s', (_part, change) => {
    expect(authorization && isSignedBy(SECRET, authorization, { ...request, ...change })).toBe(false);
  });
});

it('encodes a path that is encoded once again, and parameters once', () => {
  const request = requestOf({ path: '/v2/a%40b.example/c(d)', query: 'x=a+b&x=a%20b&&y&X=*' });
  const [, path, query] = canonicalRequest({ signedHeaders: ['host'] }, request).split('\n');
  expect([path, query]).toEqual(['/v2/a%2540b.example/c%28d%29', 'X=%2A&x=a%20b&x=a%2Bb&y=']);
});

it.each([
  '',
  'Bearer svc_live_x',
  'AWS4-HMAC-SHA256 Credential=A/20150830/us-east-1/ses, SignedHeaders=host, Signature=00',
  `AWS4-ECDSA-P256-SHA256 Credential=A/20150830/ses/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
  `AWS4-HMAC-SHA256 Credential=A/20150830/us-east-1/ses/aws4_request, Signature=${'0'.repeat(64)}`,
])('reads no authorization in %j', (header) => {
  expect(parseAuthorization(header)).toBeNull();
});

it.each([
  ['20150830T123600Z', Date.UTC(2015, 7, 30, 12, 36)],
  ['2015-08-30T12:36:00Z', null],
  ['20151330T123600Z', null],
  ['', null],
])('reads the time %j', (text, at) => {
  expect(parseAmzDate(text)).toBe(at);
});
