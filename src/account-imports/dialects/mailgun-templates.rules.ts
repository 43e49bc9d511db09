// Translates Mailgun's Handlebars templates to Mailkeel's. Both have if, unless, each, with and lookup; Mailgun's variables between
// percent signs become fields.
import { replaceActions, shortened, type Replacement, type Translation } from './actions.rules.js';

const ACTION = /\{\{\{?((?:(?!\{\{)[\s\S])*?)\}?\}\}|%(?:recipient|unsubscribe|mailing_list|tag)[\w.]*%/g;
const BLOCKS = ['if', 'unless', 'each', 'with'];
const VARIABLES: Readonly<Record<string, string>> = {
  unsubscribe_url: '{{unsubscribe_url}}',
  mailing_list_unsubscribe_url: '{{unsubscribe_url}}',
  tag_unsubscribe_url: '{{unsubscribe_url}}',
  recipient: '{{email}}',
  recipient_email: '{{email}}',
  recipient_name: '{{name}}',
  recipient_fname: '{{first_name}}',
  recipient_lname: '{{last_name}}',
};
/** A variable of the recipient, whose name is the customer's. */
const FIELD = /^recipient\.([A-Za-z_]\w*)$/;

export function translateMailgunTemplate(source: string): Translation {
  return replaceActions(source, ACTION, ({ body, whole }) =>
    whole.startsWith('%') ? variableOf(whole) : (unknownBlock(body) ?? whole),
  );
}

function variableOf(whole: string): Replacement {
  const name = whole.slice(1, -1);
  const field = FIELD.exec(name)?.[1];
  if (field !== undefined) return `{{${field}}}`;
  return VARIABLES[name] ?? { problem: `Mailkeel has no equivalent of ${shortened(whole)}.` };
}

/** Null unless the action begins or ends a block that Mailkeel does not have. */
function unknownBlock(body: string): Replacement | null {
  const [, sign, name = ''] = /^([#/^])\s*([\w-]+)/.exec(body) ?? [];
  if (sign === undefined || BLOCKS.includes(name)) return null;
  // Does not report the end of such a block separately.
  return sign === '/' ? '' : { problem: `Mailkeel has no equivalent of {{${shortened(body)}}}.` };
}
