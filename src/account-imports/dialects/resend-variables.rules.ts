// Translates the variables of Resend's templates, `{{{NAME}}}` and `{{{NAME|fallback}}}`, to Handlebars.
import { quoted, replaceActions, shortened, type Translation } from './actions.rules.js';

const ACTION = /\{\{\{((?:(?!\{\{\{)[\s\S])*?)\}\}\}/g;
const NAME = /^[A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*$/;
/** Names that Resend fills itself. */
const OWN: Readonly<Record<string, string>> = {
  EMAIL: 'email',
  FIRST_NAME: 'first_name',
  LAST_NAME: 'last_name',
  UNSUBSCRIBE_URL: 'unsubscribe_url',
  RESEND_UNSUBSCRIBE_URL: 'unsubscribe_url',
};

/** `fallbacks` are those that the template declares, by variable. */
export function translateResendTemplate(source: string, fallbacks: ReadonlyMap<string, string>): Translation {
  return replaceActions(source, ACTION, ({ body }) => {
    const bar = body.indexOf('|');
    const written = (bar < 0 ? body : body.slice(0, bar)).trim();
    const fallback = bar < 0 ? fallbacks.get(written) : body.slice(bar + 1).trim();
    const name = OWN[written] ?? written.replace(/^contact\./, '');
    if (!NAME.test(name)) return { problem: `The name of a variable is invalid: {{{${shortened(body)}}}}.` };
    if (fallback === undefined || fallback === '') return `{{{${name}}}}`;
    const text = quoted(fallback);
    return text === null
      ? { problem: `The fallback contains both kinds of quotation marks: {{{${shortened(body)}}}}.` }
      : `{{{default ${name} ${text}}}}`;
  });
}
