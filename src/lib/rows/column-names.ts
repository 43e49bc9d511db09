// Recognizes names of columns and fields in any program's spelling.

/**
 * Keeps only letters and digits, in lower case: `Spam Complaint`, `spam_complaint` and `SpamComplaint` become
 * the same word.
 */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const EMAIL_WORDS: ReadonlySet<string> = new Set(
  (
    'email emailaddress emailadress emailaddress1 email1 email1value email1address primaryemail useremail contactemail mail mailaddress ' +
    'emailadresse mailadresse courriel adresseemail adressemail adresseelectronique correo correoelectronico emailadres ' +
    'indirizzoemail enderecodeemail adresemail'
  ).split(' '),
);

/**
 * Returns whether a column of this name contains the address, in English, German, French, Spanish, Italian,
 * Portuguese, Dutch or Polish.
 */
export function isEmailName(name: string): boolean {
  return EMAIL_WORDS.has(plainWord(name.normalize('NFD').replace(/\p{M}/gu, '')));
}
