// Which passwords a person may choose: long rather than odd (NIST SP 800-63B section 5.1.1.2), and none that is guessed first.

const MIN_CHARACTERS = 12;
const MAX_PASSWORD_CHARACTERS = 200;
/** Fewer different characters are a row of one key. */
const MIN_DIFFERENT = 5;

/** The commonest of those that are long enough; lower case, without blanks. */
const COMMON: ReadonlySet<string> = new Set([
  '123456789012',
  '1234567890123',
  '12345678901234',
  '123456789abc',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  'abcdefghijkl',
  'abcdefghijklmnop',
  'abc123456789',
  'administrator',
  'administrator1',
  'asdfghjkl123',
  'asdfghjklqwertyuiop',
  'changeme1234',
  'changemenow!',
  'changemeplease',
  'correcthorsebatterystaple',
  'footballfootball',
  'iloveyou1234',
  'iloveyouiloveyou',
  'letmein12345',
  'letmeinletmein',
  'monkeymonkey',
  'passw0rd1234',
  'password1234',
  'password12345',
  'password123456',
  'password123!',
  'password1234!',
  'passwordpassword',
  'mailkeel1234',
  'mailkeelmailkeel',
  'q1w2e3r4t5y6',
  'qazwsxedcrfv',
  'qwerty123456',
  'qwerty1234567',
  'qwertyqwerty',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertyuiopasdfghjklzxcvbnm',
  'welcome12345',
  'welcomewelcome',
  'zaq12wsxcde3',
  'zxcvbnmasdfghjkl',
]);

/** One spelling of what looks the same, before anything is counted or hashed. */
export function normalizedPassword(password: string): string {
  return password.normalize('NFC');
}

/** Why a new password is refused, as the rest of "the password …"; null when it is fine. `email` is its owner's address. */
export function passwordProblem(password: string, email: string): string | null {
  const characters = Array.from(normalizedPassword(password));
  if (characters.length < MIN_CHARACTERS) return `must be at least ${MIN_CHARACTERS} characters long`;
  if (characters.length > MAX_PASSWORD_CHARACTERS) {
    return `must be at most ${MAX_PASSWORD_CHARACTERS} characters long`;
  }
  if (new Set(characters).size < MIN_DIFFERENT)
    return `must contain at least ${MIN_DIFFERENT} different characters`;
  const plain = characters.join('').toLowerCase();
  const address = email.toLowerCase();
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')));
  if ([address, local, `${local}${local}`].includes(plain.trim())) return 'must not be the email address';
  if (COMMON.has(plain.replace(/\s+/g, ''))) return 'is a commonly used password';
  return null;
}
