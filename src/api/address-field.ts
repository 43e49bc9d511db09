// An address in a body, query or path: checked, and with the key that it is found by.
import { invalidFields } from '../contract/refusal.js';
import { addressKey, addressProblem } from '../lib/mime/address.js';

export interface AddressField {
  /** As given, without surrounding blanks. */
  email: string;
  /** What suppressions and contacts are found by. */
  key: string;
}

/** A recipient's address, whose local part may be non-ASCII (RFC 6531). Refuses with `validation_error` naming `param`. */
export function readAddress(param: string, text: string): AddressField {
  const email = text.trim();
  const problem = addressProblem(email, { utf8Local: true });
  if (problem !== null) throw invalidFields([{ path: param, message: problem }]);
  return { email, key: addressKey(email) };
}
