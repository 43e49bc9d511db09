// Tokens of a list's sign-up page and of confirmation links. They have ids and a truncated HMAC-SHA256 in base32, like the
// tokens of messages (signed-token.ts).
import { readTextToken, signTextToken, type TokenKey } from '../../lib/tokens/index.js';

const SIGN_UP = { label: 'service sign-up', macBytes: 16 };
const CONFIRM = { label: 'service confirm sign-up', macBytes: 16 };

const LIST = 'lst_';
const CONTACT = 'cnt_';
const ID_LENGTH = 26;
const HOUR_LENGTH = 5;
const BASE = 32;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MODES = ['live', 'test'] as const;

type Mode = (typeof MODES)[number];

/** A list's page in one environment. */
interface SignUpPage {
  /** `lst_…` */
  listId: string;
  mode: Mode;
}

interface PendingSignUp extends SignUpPage {
  /** `cnt_…` */
  contactId: string;
  /** Hour (since the epoch) of the request. */
  hour: number;
}

/** Returns 54 characters. Throws a plain Error if the id is not a list's. */
export function signUpToken(page: SignUpPage, key: TokenKey): string {
  return signTextToken(SIGN_UP, key, `${bare(LIST, page.listId)}${MODES.indexOf(page.mode)}`);
}

/** Returns null if none of the keys signed the token. */
export function readSignUpToken(token: string, keys: readonly TokenKey[]): SignUpPage | null {
  const text = readTextToken(SIGN_UP, keys, ID_LENGTH + 1, token);
  return text === null ? null : readPage(text);
}

export function confirmationToken(pending: PendingSignUp, key: TokenKey): string {
  const { listId, mode, contactId, hour } = pending;
  const text = `${bare(LIST, listId)}${MODES.indexOf(mode)}${bare(CONTACT, contactId)}${base32Number(hour)}`;
  return signTextToken(CONFIRM, key, text);
}

/** Returns null if none of the keys signed the token. The caller checks its age. */
export function readConfirmationToken(token: string, keys: readonly TokenKey[]): PendingSignUp | null {
  const text = readTextToken(CONFIRM, keys, ID_LENGTH + 1 + ID_LENGTH + HOUR_LENGTH, token);
  const page = text === null ? null : readPage(text);
  if (text === null || page === null) return null;
  const rest = text.slice(ID_LENGTH + 1);
  const hour = Array.from(rest.slice(ID_LENGTH)).reduce(
    (sum, letter) => sum * BASE + ALPHABET.indexOf(letter),
    0,
  );
  return { ...page, contactId: `${CONTACT}${rest.slice(0, ID_LENGTH)}`, hour };
}

function readPage(text: string): SignUpPage | null {
  const mode = MODES[Number(text.charAt(ID_LENGTH))];
  return mode === undefined ? null : { listId: `${LIST}${text.slice(0, ID_LENGTH)}`, mode };
}

function bare(prefix: string, id: string): string {
  const text = id.slice(prefix.length);
  if (!id.startsWith(prefix) || text.length !== ID_LENGTH) throw new Error(`not an id of ${prefix}`);
  return text;
}

function base32Number(value: number): string {
  let text = '';
  for (let rest = value; text.length < HOUR_LENGTH; rest = Math.floor(rest / BASE)) {
    text = ALPHABET.charAt(rest % BASE) + text;
  }
  return text;
}
