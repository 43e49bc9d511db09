// Cleans the text of an SMTP reply, or other text from outside, to one line for storage and display.

const TEXT_CAP = 512;

/**
 * Returns one line of at most 512 characters, without continuation codes, repeated enhanced codes and control
 * characters.
 */
export function cleanReplyText(text: string): string {
  const line = text
    .slice(0, 8 * TEXT_CAP)
    .split(/\r\n|\r|\n/)
    .map((part) => part.replace(/^\d{3}[ -]/, ''))
    .join(' ')
    .replace(/[\p{Cc}\p{Cf}\s]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  // Every line of a longer reply repeats the code, which would end up in the middle of the sentence.
  const [code = ''] = /^[245]\.\d{1,3}\.\d{1,3} /.exec(line) ?? [];
  const sentence = code === '' ? line : code + line.slice(code.length).replaceAll(` ${code}`, ' ');
  return sentence.slice(0, TEXT_CAP);
}
