// Defines input, output and limits of templates for code that does not render them, so that the main thread
// does not load Handlebars.
export type TemplateKind = 'subject' | 'html' | 'text';
export type Variables = Readonly<Record<string, unknown>>;

/** Maximum characters of a rendered part; for the subject as in the contract. */
export const OUTPUT_LIMITS: Readonly<Record<TemplateKind, number>> = {
  subject: 998,
  html: 1_048_576,
  text: 1_048_576,
};

/** Replaces line ends and other control characters with spaces, which prevents header injection. */
export function oneLine(subject: string): string {
  return subject.replace(/\r\n|[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ');
}
