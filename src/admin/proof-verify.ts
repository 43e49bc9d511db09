// posthorn proof verify FILE: needs no server and no network.
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { verifyProofOffline } from '../messages/proof/proof-offline.rules.js';
import type { ProofPublicKey } from '../messages/proof/proof.rules.js';
import { parsePublicKeySet } from '../messages/proof/proof.rules.js';
import { EXIT } from './exit-code.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print } from './terminal.js';

interface VerifyOptions extends OutputOptions {
  keys?: string;
}

export function addProofVerify(proof: Command, terminal: Terminal): void {
  proof
    .command('verify')
    .description('check a proof file offline; exit code 9 when it does not hold')
    .argument('<file>', 'the proof as the API gave it, or - for standard input')
    .option('--keys <file>', 'trusted key set: /.well-known/posthorn-proof-keys.json of the issuer')
    .option('--json', 'print JSON')
    .action(async (file: string, { keys, ...output }: VerifyOptions) => {
      const trusted = keys === undefined ? null : await readKeySet(keys);
      const text = file === '-' ? await terminal.readStdin() : await readFile(file, 'utf8');
      const verdict = verifyProofOffline(text, trusted);
      if (!verdict.valid) terminal.exitCode = EXIT.checkFailed;
      const kind = verdict.sandbox === true ? 'VALID, OF A SANDBOX MESSAGE: DELIVERED TO NOBODY' : 'VALID';
      const headline = verdict.valid ? kind : 'NOT VALID';
      const about = verdict.bundle
        ? [`Message ${verdict.bundle.message_id} to ${verdict.bundle.to}: ${verdict.bundle.status}`]
        : [];
      print(terminal, output, verdict, [headline, ...about, ...verdict.reasons].join('\n'));
    });
}

async function readKeySet(file: string): Promise<ProofPublicKey[]> {
  const text = await readFile(file, 'utf8');
  try {
    return parsePublicKeySet(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
