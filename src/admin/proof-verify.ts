// `mailkeel proof verify FILE`: checks a proof without a server or network.
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { verifyProofOffline } from '../messages/proof/proof-offline.rules.js';
import { parsePublicKeySet, type ProofPublicKey } from '../lib/tokens/index.js';
import { EXIT } from './exit-code.js';
import { type OutputOptions, type Terminal, print } from './terminal.js';

interface VerifyOptions extends OutputOptions {
  keys?: string;
}

export function addProofVerify(proof: Command, terminal: Terminal): void {
  proof
    .command('verify')
    .description('Verify a proof file offline (exit code 9 if invalid)')
    .argument('<file>', 'Proof file from the API, or - for standard input')
    .option('--keys <file>', "Trusted key set: the issuer's /.well-known/proof-keys.json")
    .option('--json', 'Output JSON')
    .action(async (file: string, { keys, ...output }: VerifyOptions) => {
      const trusted = keys === undefined ? null : await readKeySet(keys);
      const text = file === '-' ? await terminal.readStdin() : await readFile(file, 'utf8');
      const result = verifyProofOffline(text, trusted);
      if (!result.valid) terminal.exitCode = EXIT.checkFailed;
      const kind = result.sandbox === true ? 'VALID (SANDBOX MESSAGE, NEVER DELIVERED)' : 'VALID';
      const headline = result.valid ? kind : 'NOT VALID';
      const about = result.bundle
        ? [`Message ${result.bundle.message_id} to ${result.bundle.to}: ${result.bundle.status}`]
        : [];
      print(terminal, output, result, [headline, ...about, ...result.reasons].join('\n'));
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
