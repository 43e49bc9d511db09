// The placeholder address of an erased person, in a domain without addresses.
const DOMAIN = '@erased.invalid';

export const ERASED_ADDRESS = `erased${DOMAIN}`;

/** Whether the person was erased, so nothing new is recorded and no link works. */
export function isErasedAddress(email: string): boolean {
  return email.endsWith(DOMAIN);
}
