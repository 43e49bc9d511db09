// The placeholder that Amazon SES fills with a link, and Mailkeel does not.
import type { FieldProblem } from '../../contract/refusal.js';

const UNSUBSCRIBE = '{{amazonSESUnsubscribeUrl}}';

/** Returns the problem of content that would be sent with the placeholder in it. */
export function placeholderProblems(content: string, path: string): FieldProblem[] {
  if (!content.includes(UNSUBSCRIBE)) return [];
  const message = `${UNSUBSCRIBE} is not filled in. Use {{unsubscribe_url}} in a template, or rely on the List-Unsubscribe header of marketing mail`;
  return [{ path, message }];
}
