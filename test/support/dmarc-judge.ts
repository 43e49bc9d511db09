// Evaluates mail as a receiver does: SPF, DKIM and DMARC with Debian's pyspf, dkimpy and authheaders, which query the DNS
// themselves.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePackages } from './apt.js';
import type { SinkMessage } from './smtp-sink.js';

// Debian's own, because a python in front of it on the PATH does not see Debian's packages.
const PYTHON = '/usr/bin/python3';

/** Returns null if it is available, otherwise the reason. */
export function ensureDmarcJudge(): string | null {
  return ensurePackages({
    packages: ['python3-authheaders', 'python3-spf', 'python3-dkim', 'python3-nacl', 'python3-dnspython'],
    isThere: () =>
      existsSync(PYTHON) && spawnSync(PYTHON, ['-c', 'import authheaders, spf, dkim, nacl']).status === 0,
  });
}

const JUDGE = `
import dns.resolver, json, sys
resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers, resolver.port = ['127.0.0.1'], int(sys.argv[2])
dns.resolver.default_resolver = resolver
import authheaders, authres
header = authheaders.authenticate_message(
    open(sys.argv[1], 'rb').read(), 'receiver.example', spf=True, dkim=True, dmarc=True,
    ip=sys.argv[3], mail_from=sys.argv[4], helo=sys.argv[5])
parsed = authres.AuthenticationResultsHeader.parse(header)
json.dump({'header': header, **{one.method: one.result for one in parsed.results}}, sys.stdout)
`;

export interface DmarcJudgement {
  spf: string;
  dkim: string;
  dmarc: string;
  /** The complete result, as an Authentication-Results field. */
  header: string;
}

/** `dnsPort` is that of a resolver on 127.0.0.1. */
export async function judgeDmarc(message: SinkMessage, dnsPort: number): Promise<DmarcJudgement> {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-dmarc-'));
  try {
    const path = join(folder, 'message.eml');
    await writeFile(path, message.raw);
    const { from, mailFrom, ehlo } = message;
    const args = ['-W', 'ignore', '-c', JUDGE, path, String(dnsPort), from, mailFrom, ehlo];
    const { stdout } = await promisify(execFile)(PYTHON, args);
    return JSON.parse(stdout) as DmarcJudgement;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
