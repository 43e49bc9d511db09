// Translates Postmark's templates, which are Mustachio, to Handlebars. A section narrows the context to its field, as `with` does, and
// an inverted one is `unless`.
import { replaceActions, shortened, type Replacement, type Translation } from './actions.rules.js';

const ACTION = /\{\{\{?((?:(?!\{\{)[\s\S])*?)\}?\}\}/g;
const PATH = /^(?:\.\.\/)*(?:\.|[A-Za-z_@][\w.]*)$/;
const HELPERS = ['if', 'unless', 'each', 'with'];
const UNSUBSCRIBE = /^pm:unsubscribe(?:_url)?$/;

export function translateMustachio(source: string): Translation {
  const blocks: string[] = [];
  return replaceActions(source, ACTION, ({ body, whole }) => {
    if (body.startsWith('!')) return '';
    if (UNSUBSCRIBE.test(body)) return '{{unsubscribe_url}}';
    return openBlock(body, blocks, whole) ?? closeBlock(body, blocks) ?? valueOf(body, whole);
  });
}

/** Null if the action opens no block. */
function openBlock(body: string, blocks: string[], whole: string): Replacement | null {
  const [, sign, given = ''] = /^([#^])\s*([\s\S]+)$/.exec(body) ?? [];
  if (sign === undefined) return null;
  const [, helper, field] = /^(\w+)\s+(\S+)$/.exec(given) ?? [];
  const isHelper = sign === '#' && helper !== undefined && HELPERS.includes(helper);
  if (isHelper && PATH.test(field ?? '')) {
    blocks.push(helper);
    return whole;
  }
  if (!PATH.test(given)) {
    blocks.push('with');
    return { problem: `The condition is not a single field: {{${shortened(body)}}}.` };
  }
  const block = sign === '^' ? 'unless' : 'with';
  blocks.push(block);
  return `{{#${block} ${pathOf(given)}}}`;
}

/** Null if the action neither closes nor divides a block. */
function closeBlock(body: string, blocks: string[]): Replacement | null {
  if (body === 'else' || body === '^') return '{{else}}';
  if (!body.startsWith('/')) return null;
  const block = blocks.pop();
  return block === undefined ? { problem: 'There is no open block to close.' } : `{{/${block}}}`;
}

function valueOf(body: string, whole: string): Replacement {
  const isRaw = whole.startsWith('{{{') || body.startsWith('&');
  const path = body.replace(/^&\s*/, '');
  if (!PATH.test(path)) return { problem: `Mailkeel has no equivalent of {{${shortened(body)}}}.` };
  return isRaw ? `{{{${pathOf(path)}}}}` : `{{${pathOf(path)}}}`;
}

function pathOf(path: string): string {
  return path.endsWith('.') && /^(?:\.\.\/)*\.$/.test(path) ? `${path.slice(0, -1)}this` : path;
}
