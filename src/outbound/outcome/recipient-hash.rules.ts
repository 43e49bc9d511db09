// Keyed hashes that stand for a campaign's recipients in the delivery log. Mailkeel can compute them again after a restore. They
// cover campaign and address, so lines of two campaigns do not reveal a common recipient.
import { createHmac, hkdfSync } from 'node:crypto';

const LENGTH = 22;

/** Computes the hash of an address in comparable form. */
export type RecipientHash = (campaignId: string, emailKey: string) => string;

/** Derives the hash function from the 32-octet master key. Hashes have 132 bits, in base64url. */
export function createRecipientHash(masterKey: Buffer): RecipientHash {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'service delivery log recipient', 32));
  return (campaignId, emailKey) =>
    createHmac('sha256', key).update(`${campaignId} ${emailKey}`).digest('base64url').slice(0, LENGTH);
}
