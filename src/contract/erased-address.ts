// The placeholder for the address of an erased person, in a domain where no address exists.
const DOMAIN = '@erased.invalid';

export const ERASED_ADDRESS = `erased${DOMAIN}`;

/** Of a person who was erased nothing new is kept, and no link leads on. */
export function isErasedAddress(email: string): boolean {
  return email.endsWith(DOMAIN);
}
