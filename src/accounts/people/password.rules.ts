// Rules for new passwords, which favor length over complexity (NIST SP 800-63B section 5.1.1.2) and reject common ones.

const MIN_CHARACTERS = 12;
const MAX_PASSWORD_CHARACTERS = 200;
/** Fewer distinct characters suggest repeated keys. */
const MIN_DIFFERENT = 5;

/** The most common passwords of sufficient length, in lower case without spaces. */
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

/** Normalizes spellings that look the same. Apply it before counting or hashing. */
export function normalizedPassword(password: string): string {
  return password.normalize('NFC');
}

/** Returns why a new password is refused, completing "the password …", or null. `email` is its owner's address. */
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
