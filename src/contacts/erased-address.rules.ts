// What stands in the place of the address of a person who was erased. Nobody has one in this domain.
const DOMAIN = '@erased.invalid';

export const ERASED_ADDRESS = `erased${DOMAIN}`;

/** Of a person who was erased nothing new is kept, and no link leads on. */
export function isErasedAddress(email: string): boolean {
  return email.endsWith(DOMAIN);
}
