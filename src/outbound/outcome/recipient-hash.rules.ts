// How the delivery log names a campaign's recipient without the address: a keyed hash, which the appliance can compute again after a
// restore. It is of the campaign and the address together, so that lines of two campaigns do not show that they went to one person.
import { createHmac, hkdfSync } from 'node:crypto';

const LENGTH = 22;

/** `emailKey`: the address as addresses are compared. */
export type RecipientHash = (campaignId: string, emailKey: string) => string;

/** `masterKey` has 32 octets. The hash has 132 bits, in base64url. */
export function createRecipientHash(masterKey: Buffer): RecipientHash {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'service delivery log recipient', 32));
  return (campaignId, emailKey) =>
    createHmac('sha256', key).update(`${campaignId} ${emailKey}`).digest('base64url').slice(0, LENGTH);
}
