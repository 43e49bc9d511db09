// Measures the machine's speed as RSA-2048 signatures per second and core, so that rates can be compared between machines.
// OpenSSL signs twice as fast on processors with AVX-512 IFMA, which speed up nothing else of the work, so the rate without those
// instructions is measured as well.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';

const SIGNATURES = 3_000;
const OCTETS = 400;
/** OPENSSL_ia32cap(3): the bit of AVX-512 IFMA in the second word. Ignored on other processors. */
const WITHOUT_IFMA = ':~0x200000';

export interface RsaRates {
  /** With OpenSSL's default on this machine, per second of one core. */
  asItIs: number;
  /** Without AVX-512 IFMA. */
  scalar: number;
}

export function measureRsa(): RsaRates {
  const rateWith = (env: NodeJS.ProcessEnv): number =>
    Number(
      execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'measure'], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      }),
    );
  return { asItIs: rateWith({}), scalar: rateWith({ OPENSSL_ia32cap: WITHOUT_IFMA }) };
}

function signaturesPerSecond(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const data = Buffer.alloc(OCTETS, 1);
  const before = cpuUsage();
  for (let made = 0; made < SIGNATURES; made += 1) sign('sha256', data, privateKey);
  const { user, system } = cpuUsage(before);
  return SIGNATURES / ((user + system) / 1e6);
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'measure') {
  process.stdout.write(String(signaturesPerSecond()));
}
