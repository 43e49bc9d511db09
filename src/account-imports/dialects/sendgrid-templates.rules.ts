// Translates SendGrid's dynamic templates to Mailkeel's Handlebars. Both have if, unless, each and with; SendGrid's other helpers
// are translated where Mailkeel has an equivalent.
import { quoted, replaceActions, shortened, type Replacement, type Translation } from './actions.rules.js';

const ACTION = /\{\{\{?((?:(?!\{\{)[\s\S])*?)\}?\}\}|<%\s*\w+\s*%>/g;
const UNSUBSCRIBE = '{{unsubscribe_url}}';
/** Placeholders that SendGrid fills itself. */
const OWN: Readonly<Record<string, string>> = {
  unsubscribe: UNSUBSCRIBE,
  unsubscribe_preferences: UNSUBSCRIBE,
};
const TAGS: Readonly<Record<string, string>> = {
  asm_group_unsubscribe_raw_url: UNSUBSCRIBE,
  asm_global_unsubscribe_raw_url: UNSUBSCRIBE,
  asm_preferences_raw_url: UNSUBSCRIBE,
};
const NOT_HERE =
  /^(?:#|\/|else\s+)?(?:equals|notEquals|greaterThan|lessThan|and|or|length|formatDate|Weblink|weblink)\b/;

export function translateSendgridTemplate(source: string): Translation {
  return replaceActions(source, ACTION, ({ body, whole }) => {
    if (whole.startsWith('<%')) return tagOf(whole);
    const own = OWN[body];
    if (own !== undefined) return own;
    const [, name, option] = /^insert\s+(\S+)(?:\s+"default=([^"]*)")?$/.exec(body) ?? [];
    if (name !== undefined) return inserted(name, option);
    if (NOT_HERE.test(body)) {
      // Does not report the end of such a block separately.
      return body.startsWith('/') ? '' : { problem: `Mailkeel has no equivalent of {{${shortened(body)}}}.` };
    }
    return whole;
  });
}

function tagOf(whole: string): Replacement {
  const name = whole.slice(2, -2).trim();
  return TAGS[name] ?? { problem: `Mailkeel has no equivalent of ${shortened(whole)}.` };
}

function inserted(name: string, fallback: string | undefined): Replacement {
  if (fallback === undefined) return `{{${name}}}`;
  const text = quoted(fallback);
  return text === null
    ? { problem: `The default of ${name} contains both kinds of quotation marks.` }
    : `{{default ${name} ${text}}}`;
}
