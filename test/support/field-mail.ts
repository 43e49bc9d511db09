// Addresses, submissions and peers as they occur in the field, which strict parsers refuse.
import { readFileSync } from 'node:fs';

const FOLDER = new URL('../corpus/field-mail/', import.meta.url);

/** The octets of a submitted mail. */
export function fieldMail(name: string): Buffer {
  return readFileSync(new URL(name, FOLDER));
}

export const FIELD_ADDRESSES = JSON.parse(fieldMail('addresses.json').toString()) as {
  api_to_and_relay_rcpt: string[];
  inbound_mail_from: string[];
};
