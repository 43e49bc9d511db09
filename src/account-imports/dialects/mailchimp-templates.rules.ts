// Translates Mailchimp's templates to Handlebars. Merge tags become fields, conditions on a single field become blocks, and the
// attributes of Mailchimp's editor are removed.
import { replaceActions, shortened, type Replacement, type Translation } from './actions.rules.js';

/** A merge tag, an attribute of the editor, or the beginning of an action of Handlebars, which is text in Mailchimp. */
const ACTION =
  /\*\|((?:(?!\*\|)[\s\S])*?)\|\*|(?<!\s)\s+mc:[a-z]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'>]+))?(?=[\s/>])|\{\{/g;
const NAME = /^[A-Za-z]\w*$/;
const CONDITION = /^(IF|IFNOT|ELSEIF):\s*([\s\S]+)$/;
/** Merge fields that every audience has. */
const FIELDS: Readonly<Record<string, string>> = {
  EMAIL: 'email',
  FNAME: 'first_name',
  LNAME: 'last_name',
  PHONE: 'phone',
  MERGE0: 'email',
  MERGE1: 'first_name',
  MERGE2: 'last_name',
};
const TAGS: Readonly<Record<string, string>> = {
  UNSUB: '{{unsubscribe_url}}',
  UPDATE_PROFILE: '{{unsubscribe_url}}',
  // The title of the page, which mail clients do not show.
  'MC:SUBJECT': '',
  'HTML:REWARDS': '',
  REWARDS: '',
  // Mailkeel adds the postal address to marketing mail that does not have it.
  'LIST:ADDRESS': '',
  'LIST:ADDRESSLINE': '',
  'HTML:LIST_ADDRESS_HTML': '',
  'LIST:ADDRESS_HTML': '',
};
/** Names of the system that look like merge fields. */
const SYSTEM =
  /^(?:ARCHIVE|ARCHIVE_LINK_SHORT|FORWARD|CURRENT_YEAR|TRANSLATE|UNIQID|EMAIL_UID|CAMPAIGN_UID|ABOUT_LIST|LIST|INTERESTED|DATE)$/;

export function translateMailchimpTemplate(source: string): Translation {
  const blocks: string[] = [];
  return replaceActions(source, ACTION, ({ body, whole }) => {
    if (whole === '{{') return '\\{{';
    if (!whole.startsWith('*|')) return '';
    return TAGS[body] ?? blockOf(body, blocks) ?? fieldOf(body);
  });
}

/** Null if the tag neither opens, divides nor closes a block. */
function blockOf(body: string, blocks: string[]): Replacement | null {
  if (/^END:\s*\w+$/.test(body)) {
    const block = blocks.pop();
    return block === undefined ? { problem: 'There is no open block to close.' } : `{{/${block}}}`;
  }
  if (/^ELSE:?$/.test(body)) return '{{else}}';
  const [, word, given = ''] = CONDITION.exec(body) ?? [];
  if (word === undefined) return null;
  const block = word === 'IFNOT' ? 'unless' : 'if';
  if (word !== 'ELSEIF') blocks.push(block);
  const path = pathOf(given.trim());
  if (path === null) return { problem: `The condition is not a single field: *|${shortened(body)}|*.` };
  return word === 'ELSEIF' ? `{{else if ${path}}}` : `{{#${block} ${path}}}`;
}

function fieldOf(body: string): Replacement {
  const path = pathOf(body);
  if (path !== null) return `{{${path}}}`;
  if (/^(?:HTML:)?(?:LIST|USER)[:_]/.test(body)) {
    return { problem: `Write the text in place of *|${shortened(body)}|*, which is a Mailchimp setting.` };
  }
  return { problem: `Mailkeel has no equivalent of *|${shortened(body)}|*.` };
}

function pathOf(name: string): string | null {
  return !NAME.test(name) || SYSTEM.test(name) ? null : (FIELDS[name] ?? name);
}
