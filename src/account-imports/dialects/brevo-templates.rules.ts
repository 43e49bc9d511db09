// Translates Brevo's templates, which resemble Django's, to Handlebars. Fields with defaults, conditions on a single field and loops
// are translated; comparisons, other filters and other tags are reported.
import { quoted, replaceActions, shortened, type Replacement, type Translation } from './actions.rules.js';

/** A variable, a tag or a comment. */
const ACTION = /\{\{-?((?:(?!\{\{)[\s\S])*?)-?\}\}|\{%-?(?:(?!\{%)[\s\S])*?-?%\}|\{#(?:(?!\{#)[\s\S])*?#\}/g;
const NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
/** Attributes that every account has, by the language in which it was created. */
const FIELDS: Readonly<Record<string, string>> = {
  EMAIL: 'email',
  SMS: 'phone',
  ...{ FIRSTNAME: 'first_name', VORNAME: 'first_name', PRENOM: 'first_name', NOMBRE: 'first_name' },
  ...{ LASTNAME: 'last_name', NACHNAME: 'last_name', NOM: 'last_name', APELLIDOS: 'last_name' },
};
const LINKS: Readonly<Record<string, string>> = {
  unsubscribe: '{{unsubscribe_url}}',
  update_profile: '{{unsubscribe_url}}',
};

/** An open block. A loop has the name of its element. */
interface Block {
  end: 'if' | 'unless' | 'each';
  element: string | null;
}

export function translateBrevoTemplate(source: string): Translation {
  const blocks: Block[] = [];
  return replaceActions(source, ACTION, ({ body, whole }) => {
    if (whole.startsWith('{#')) return '';
    if (whole.startsWith('{{')) return LINKS[body] ?? valueOf(body, blocks);
    return tagOf(whole.replace(/^\{%-?|-?%\}$/g, '').trim(), blocks);
  });
}

function tagOf(tag: string, blocks: Block[]): Replacement {
  const [, word = '', given = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? [];
  switch (word) {
    case 'if':
      return openIf(given, blocks);
    case 'for':
      return openFor(given, blocks);
    case 'elif': {
      const path = pathOf(given, blocks);
      return path === null ? noCondition(tag) : `{{else if ${path}}}`;
    }
    case 'else':
    case 'empty':
      return '{{else}}';
    case 'endif':
    case 'endfor': {
      const block = blocks.pop();
      return block === undefined ? { problem: 'There is no open block to close.' } : `{{/${block.end}}}`;
    }
    default:
      return { problem: `Mailkeel has no equivalent of {% ${shortened(tag)} %}.` };
  }
}

function openIf(given: string, blocks: Block[]): Replacement {
  const [, negated] = /^not\s+(\S+)$/.exec(given) ?? [];
  const path = pathOf(negated ?? given, blocks);
  const end = negated === undefined ? 'if' : 'unless';
  blocks.push({ end, element: null });
  return path === null ? noCondition(`if ${given}`) : `{{#${end} ${path}}}`;
}

function openFor(given: string, blocks: Block[]): Replacement {
  const [, element = null, list = ''] = /^(\w+)\s+in\s+(\S+)$/.exec(given) ?? [];
  const path = element === null ? null : pathOf(list, blocks);
  blocks.push({ end: 'each', element });
  return path === null
    ? { problem: `Mailkeel has no equivalent of {% for ${shortened(given)} %}.` }
    : `{{#each ${path}}}`;
}

function noCondition(tag: string): Replacement {
  return { problem: `The condition is not a single field: {% ${shortened(tag)} %}.` };
}

/** A field, with a default and as HTML if it is marked as safe. */
function valueOf(body: string, blocks: readonly Block[]): Replacement {
  const unknown = { problem: `Mailkeel has no equivalent of {{${shortened(body)}}}.` };
  const [, given = '', filters = ''] = /^([\w.]+)\s*((?:\|[\s\S]*)?)$/.exec(body) ?? [];
  const path = pathOf(given, blocks);
  if (path === null) return unknown;
  const isSafe = /\|\s*safe\s*$/.test(filters);
  const [open, close] = isSafe ? ['{{{', '}}}'] : ['{{', '}}'];
  const others = filters.replace(/\|\s*safe\s*$/, '').trim();
  if (others === '') return `${open}${path}${close}`;
  const [, double, single] = /^\|\s*default\s*:\s*(?:"([^"|]*)"|'([^'|]*)')$/.exec(others) ?? [];
  const fallback = double ?? single;
  if (fallback === undefined) return unknown;
  if (fallback === '') return `${open}${path}${close}`;
  const text = quoted(fallback);
  return text === null ? unknown : `${open}default ${path} ${text}${close}`;
}

/** The path of a field in Handlebars, which depends on the loops around it; null for anything else. */
function pathOf(expression: string, blocks: readonly Block[]): string | null {
  if (!NAME.test(expression)) return null;
  const [first = '', ...rest] = expression.split('.');
  const loops = blocks.filter(({ end }) => end === 'each');
  const depth = loops.toReversed().findIndex(({ element }) => element === first);
  if (depth >= 0) {
    const up = '../'.repeat(depth);
    if (rest.length === 0) return `${up}this`;
    return depth === 0 ? `this.${rest.join('.')}` : `${up}${rest.join('.')}`;
  }
  if (rest.length === 0 || (first !== 'contact' && first !== 'params')) return null;
  const [name = ''] = rest;
  const field =
    first === 'contact' && rest.length === 1 ? (FIELDS[name.toUpperCase()] ?? name) : rest.join('.');
  return loops.length > 0 ? `@root.${field}` : field;
}
