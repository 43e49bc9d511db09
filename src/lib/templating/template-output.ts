// Input and output of templates and their limits, for those who do not fill templates themselves: the main thread loads no
// Handlebars.
export type TemplateKind = 'subject' | 'html' | 'text';
export type Variables = Readonly<Record<string, unknown>>;

/** Characters that a rendered part may have; for the subject as the contract says. */
export const OUTPUT_LIMITS: Readonly<Record<TemplateKind, number>> = {
  subject: 998,
  html: 1_048_576,
  text: 1_048_576,
};

/** A header holds one line: line ends and other control characters become spaces (no header can be smuggled in). */
export function oneLine(subject: string): string {
  return subject.replace(/\r\n|[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ');
}
