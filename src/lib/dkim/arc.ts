// Seals forwarded messages with ARC (RFC 8617), so that the next receiver can see how this one authenticated them.
import { hash } from 'node:crypto';
import {
  checkSigner,
  createSignature,
  type DkimSigner,
  foldSignature,
  listedNames,
  relaxedBody,
  relaxedField,
  selectFields,
  unsignedForm,
} from './dkim.js';

/** The most sets of a chain (section 4.2.1). */
const MAX_INSTANCE = 50;
const SET = ['arc-authentication-results', 'arc-message-signature', 'arc-seal'] as const;
const INSTANCE = /(?:^|;)\s*i\s*=\s*(\d{1,2})\s*(?=;|$)/;

interface ArcInput {
  /** The header fields as for `signMessage`, with the earlier sets. */
  headerLines: readonly string[];
  /** CRLF line ends. */
  body: Buffer;
  signer: DkimSigner;
  /** Unix seconds. */
  signedAt: number;
  /** The validation of the chain so far; `none` without one. A chain that did not pass is not continued. */
  chain: 'none' | 'pass';
  /** The authserv-id and the results of RFC 8601. */
  results: string;
}

/**
 * Returns the fields of the next ARC set, to put above the message in their order. Returns none if the chain has as many sets as it
 * may have. Throws as `signMessage` does.
 */
export function sealArc({ headerLines, body, signer, signedAt, chain, results }: ArcInput): string[] {
  checkSigner(signer);
  const earlier = chain === 'none' ? [] : setsOf(headerLines);
  const instance = earlier.length + 1;
  if (instance > MAX_INSTANCE) return [];
  const { domain, selector, algorithm } = signer;
  const key = [`d=${domain};`, `s=${selector};`, `t=${signedAt};`];
  const authentication = `ARC-Authentication-Results: i=${instance}; ${results}`.replaceAll('; ', ';\r\n ');

  const { names, canonical } = selectFields(headerLines, ['dkim-signature']);
  const bodyHash = hash('sha256', relaxedBody(body), 'base64');
  const signature = signed(
    unsignedForm(`ARC-Message-Signature: i=${instance}; a=${algorithm}; c=relaxed/relaxed;`, [
      ...key,
      ...listedNames(names),
      `bh=${bodyHash};`,
    ]),
    canonical,
    signer,
  );
  const covered = [...earlier.flat(), authentication, signature].map(
    (line) => `${relaxedField(line).text}\r\n`,
  );
  const seal = signed(
    unsignedForm(`ARC-Seal: i=${instance}; a=${algorithm}; cv=${chain};`, key),
    covered.join(''),
    signer,
  );
  return [seal, signature, authentication];
}

function signed(unsigned: string, covered: string, signer: DkimSigner): string {
  const data = Buffer.from(covered + relaxedField(unsigned).text, 'latin1');
  return foldSignature(unsigned, createSignature(signer, data));
}

/** Returns the earlier sets in the order in which a seal covers them (section 5.1.1). Throws if one is incomplete. */
function setsOf(headerLines: readonly string[]): string[][] {
  const sets = new Map<number, Map<string, string>>();
  for (const line of headerLines) {
    const { name, text } = relaxedField(line);
    if (!SET.some((one) => one === name)) continue;
    const instance = Number(INSTANCE.exec(text.slice(name.length + 1))?.[1] ?? 0);
    const set = sets.get(instance) ?? new Map<string, string>();
    sets.set(instance, set.set(name, line));
  }
  return Array.from({ length: sets.size }, (_, at) =>
    SET.map((name) => {
      const line = sets.get(at + 1)?.get(name);
      if (line === undefined) throw new Error('ARC: the chain of the message is incomplete');
      return line;
    }),
  );
}
