// The text of an SMTP reply, or of any other answer from outside, as one line that can be kept and shown.

const TEXT_CAP = 512;

/**
 * One line of at most 512 characters: continuation codes, repeats of the enhanced code and control characters removed.
 * Peers write anything.
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
  // Every line of a longer reply begins with the code: it would stand in the midst of the sentence.
  const [code = ''] = /^[245]\.\d{1,3}\.\d{1,3} /.exec(line) ?? [];
  const sentence = code === '' ? line : code + line.slice(code.length).replaceAll(` ${code}`, ' ');
  return sentence.slice(0, TEXT_CAP);
}
