// Third-party mail readers and DKIM verifiers, all from Debian: Python's email package, dkimpy, Perl's Mail::DKIM. The verifiers
// fetch the keys from the DNS themselves.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePackages } from './apt.js';

// Debian's own, because a python in front of it on the PATH does not see Debian's packages.
const PYTHON = '/usr/bin/python3';
const PERL = '/usr/bin/perl';

interface ReadPart {
  type: string;
  charset: string | null;
  disposition: string | null;
  filename: string | null;
  contentId: string | null;
  /** The decoded octets. */
  content: Buffer;
}

export interface ReadMail {
  /** Decoded, by lower-case name; the first value if a name repeats. */
  headers: Record<string, string>;
  /** The leaves, in order. */
  parts: ReadPart[];
}

export interface SignatureVerdict {
  /** d= */
  domain: string;
  /** a= */
  algorithm: string;
  /** h=, lower-case. */
  signedFields: string[];
  valid: boolean;
}

/** Returns null if they are available, otherwise the reason. */
export function ensureMailOracles(): string | null {
  return ensurePackages({
    packages: ['python3-dkim', 'python3-nacl', 'python3-dnspython', 'libmail-dkim-perl'],
    isThere: () =>
      existsSync(PYTHON) &&
      spawnSync(PYTHON, ['-c', 'import dkim, nacl, dns.resolver']).status === 0 &&
      spawnSync(PERL, ['-MMail::DKIM::Verifier', '-e', '1']).status === 0,
  });
}

const READER = `
import base64, email, email.policy, json, sys
def leaf(part):
    payload = part.get_payload(decode=True)
    return {'type': part.get_content_type(), 'charset': part.get_content_charset(),
            'disposition': part.get_content_disposition(), 'filename': part.get_filename(),
            'contentId': part['Content-ID'], 'content': base64.b64encode(payload).decode()}
message = email.message_from_bytes(open(sys.argv[1], 'rb').read(), policy=email.policy.SMTP)
headers = {}
for name, value in message.items():
    headers.setdefault(name.lower(), str(value))
json.dump({'headers': headers, 'parts': [leaf(p) for p in message.walk() if not p.is_multipart()]}, sys.stdout)
`;

const DKIMPY = `
import dkim, dns.resolver, json, sys
resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers, resolver.port = ['127.0.0.1'], int(sys.argv[2])
def lookup(name, timeout=5):
    return b''.join(resolver.resolve(name.decode().rstrip('.'), 'TXT')[0].strings)
message = open(sys.argv[1], 'rb').read()
verifier = dkim.DKIM(message)
count = len([h for h in verifier.headers if h[0].lower() == b'dkim-signature'])
verdicts = []
for index in range(count):
    one = dkim.DKIM(message)
    try:
        valid = one.verify(idx=index, dnsfunc=lookup)
    except Exception:
        valid = False
    fields = one.signature_fields
    verdicts.append({'domain': fields[b'd'].decode(), 'algorithm': fields[b'a'].decode(), 'valid': bool(valid),
                     'signedFields': [n.strip().lower().decode() for n in fields[b'h'].split(b':')]})
json.dump(verdicts, sys.stdout)
`;

const MAIL_DKIM = `
use strict; use warnings; use JSON::PP; use Net::DNS; use Mail::DKIM::Verifier; use Mail::DKIM::DNS;
my ($file, $port) = @ARGV;
Mail::DKIM::DNS::resolver(Net::DNS::Resolver->new(nameservers => ['127.0.0.1'], port => $port, recurse => 1));
my $dkim = Mail::DKIM::Verifier->new();
open(my $mail, '<:raw', $file) or die; local $/; $dkim->PRINT(<$mail>); $dkim->CLOSE;
print encode_json([map { my $s = $_; { domain => $s->domain, algorithm => $s->algorithm, valid => $s->result eq 'pass' ? JSON::PP::true : JSON::PP::false,
  signedFields => [map { lc } $s->headerlist] } } $dkim->signatures]);
`;

/** A maildir stores lines with LF, while on the wire and in a signature they end in CRLF. */
export function asOnTheWire(stored: Buffer): Buffer {
  return Buffer.from(stored.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1');
}

// Never synchronously, because the DNS server that they query is in this process.
const execute = promisify(execFile);

async function ask(program: string, script: string[], octets: Buffer, more: string[] = []): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-oracle-'));
  try {
    const path = join(folder, 'message.eml');
    await writeFile(path, octets);
    const { stdout } = await execute(program, [...script, path, ...more], { maxBuffer: 1 << 28 });
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** As Python's email package reads it. */
export async function readMail(octets: Buffer): Promise<ReadMail> {
  const read = (await ask(PYTHON, ['-c', READER], octets)) as {
    headers: Record<string, string>;
    parts: (Omit<ReadPart, 'content'> & { content: string })[];
  };
  const parts = read.parts.map((part) => ({ ...part, content: Buffer.from(part.content, 'base64') }));
  return { headers: read.headers, parts };
}

const verifyWith =
  (program: string, script: string[]) =>
  async (octets: Buffer, dnsPort: number): Promise<SignatureVerdict[]> =>
    (await ask(program, script, octets, [String(dnsPort)])) as SignatureVerdict[];

/** Mail::DKIM of Debian 12 is older than its support of Ed25519, and calls such a signature invalid. */
export const DKIM_VERIFIERS = [
  { verifier: 'dkimpy', knows: ['rsa-sha256', 'ed25519-sha256'], verify: verifyWith(PYTHON, ['-c', DKIMPY]) },
  { verifier: 'Mail::DKIM', knows: ['rsa-sha256'], verify: verifyWith(PERL, ['-e', MAIL_DKIM]) },
];
