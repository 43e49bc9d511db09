// Creates the DKIM keys of a domain: RSA, which every receiver supports, and Ed25519 (RFC 8463), which some do.
import { dkimRecordValue } from '../../lib/dkim/index.js';
import { fixedSelector } from './dkim-publication.rules.js';
import { newId, randomBytesPooled } from '../../lib/runtime/index.js';
import { dkimKeyContext, generateDkimKey, sealSecret } from '../../lib/secrets/index.js';
import { type DkimKey, dkimKeys } from '../domains.tables.js';
import type { Change } from '../../database/change.js';
import { insert, update } from '../../database/rows.js';
import type { Otherwise } from '../../database/refuse.js';

const ALGORITHMS = ['rsa-sha256', 'ed25519-sha256'] as const;
const SELECTOR_ALPHABET = 'abcdefghjkmnpqrstvwxyz0123456789';
const SELECTOR_CHARACTERS = 8;

interface NewKeys {
  rows: DkimKey[];
  changes: Change[];
}

/** Returns a random name, because a domain may be set up again while its old records are still in DNS. */
function newSelector(algorithm: DkimKey['algorithm']): string {
  const random = [...randomBytesPooled(SELECTOR_CHARACTERS)].map((byte) =>
    SELECTOR_ALPHABET.charAt(byte & 31),
  );
  return `${algorithm === 'rsa-sha256' ? 'rsa' : 'ed'}-${random.join('')}`;
}

interface KeyOwner {
  ownerId: string;
  domain: string;
  masterKey: Buffer;
  now: number;
  /** Index of a fixed selector. `null` or absent for random selectors. */
  slot?: 0 | 1 | null;
  /** The refusal if another request has created keys with these selectors in the meantime. */
  conflict?: Otherwise;
}

/** Creates one `pending` key per algorithm, RSA first. A key signs once DNS has its record. */
export async function makeDkimKeys(owner: KeyOwner): Promise<NewKeys> {
  const rows = await Promise.all(ALGORITHMS.map((algorithm) => makeKey(algorithm, owner)));
  return {
    rows,
    changes: rows.map((row) =>
      insert(dkimKeys, { row, ...(owner.conflict === undefined ? {} : { conflict: owner.conflict }) }),
    ),
  };
}

async function makeKey(algorithm: DkimKey['algorithm'], owner: KeyOwner): Promise<DkimKey> {
  const pair = await generateDkimKey(algorithm);
  const id = newId('key', owner.now);
  const slot = owner.slot ?? null;
  return {
    id,
    owner_id: owner.ownerId,
    domain: owner.domain,
    selector: slot === null ? newSelector(algorithm) : fixedSelector(algorithm, slot),
    algorithm,
    private_key_sealed: sealSecret(owner.masterKey, pair.privateKeyDer, dkimKeyContext(id)),
    record_value: dkimRecordValue(pair.publicKey, algorithm),
    state: 'pending',
    slot,
    published_at: null,
    activated_at: null,
    retiring_at: null,
    revoke_at: null,
    revoked_at: null,
    created_at: owner.now,
  };
}

/** Retires all keys of a deleted owner. */
export function retireKeys(ownerId: string): Change {
  return update(dkimKeys, {
    set: { state: 'retired', private_key_sealed: '' },
    where: { owner_id: ownerId, state: ['pending', 'published', 'active', 'retiring', 'revoked'] },
  });
}
