// Translates listmonk's templates, which are Go templates (text/template), to Handlebars. Fields, conditions, loops and defaults
// are translated; functions, variables and layouts are reported.
import { quoted, replaceActions, shortened, type Replacement, type Translation } from './actions.rules.js';

const ACTION = /\{\{-?((?:(?!\{\{)[\s\S])*?)-?\}\}/g;
const TRACK_LINK = /(?<=https?:\/\/[^\s"'<>@]+)@TrackLink/g;

/** Fields that Mailkeel has under another name. */
const FIELDS: Readonly<Record<string, string>> = {
  '.Subscriber.Email': 'email',
  '.Subscriber.Name': 'name',
  '.Subscriber.FirstName': 'first_name',
  '.Subscriber.LastName': 'last_name',
};
/** Prefixes of fields whose names are the customer's. */
const DATA = /^\.(?:Subscriber\.Attribs|Tx\.Data)\.(.+)$/;
const NAME = /^[A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*$/;
const CALLS: Readonly<Record<string, string>> = {
  UnsubscribeURL: '{{unsubscribe_url}}',
  ManageURL: '{{unsubscribe_url}}',
  // Mailkeel adds its own pixel.
  TrackView: '',
};

/** A block that is open: what closes it, and whether names inside belong to a value, its own or that of a block around it. */
interface Block {
  end: 'if' | 'unless' | 'each' | 'with';
  isScope: boolean;
}

export function translateGoTemplate(source: string): Translation {
  const blocks: Block[] = [];
  const isScoped = (): boolean => blocks.at(-1)?.isScope ?? false;
  const plain = source.replace(TRACK_LINK, '');
  return replaceActions(plain, ACTION, ({ body }) => {
    if (body.startsWith('/*')) return '';
    return (
      openBlock(body, blocks, isScoped()) ??
      closeBlock(body, blocks, isScoped()) ??
      callOf(body) ??
      valueOf(body, isScoped()) ??
      unknown(body)
    );
  });
}

function unknown(body: string): Replacement {
  if (/^template\s/.test(body)) {
    return {
      problem:
        'The template is a layout for the content of campaigns. Copy its header and footer into the templates that need them.',
    };
  }
  if (/^(define|block)\s/.test(body)) {
    return { problem: `Templates cannot define other templates: {{${shortened(body)}}}.` };
  }
  return { problem: `Mailkeel has no equivalent of {{${shortened(body)}}}.` };
}

/** Null if the action opens no block. */
function openBlock(body: string, blocks: Block[], isScoped: boolean): Replacement | null {
  const [, word, given = ''] = /^(if|range|with)\s+([\s\S]+)$/.exec(body) ?? [];
  if (word === undefined) return null;
  const [, negated] = /^not\s+(\S+)$/.exec(given.trim()) ?? [];
  const path = pathOf(negated ?? given.trim(), isScoped);
  if (path === null || (negated !== undefined && word !== 'if')) {
    blocks.push({ end: 'if', isScope: isScoped });
    return { problem: `The condition is not a single field: {{${shortened(body)}}}.` };
  }
  const end = word === 'range' ? 'each' : word === 'with' ? 'with' : negated === undefined ? 'if' : 'unless';
  blocks.push({ end, isScope: isScoped || end === 'each' || end === 'with' });
  return `{{#${end} ${path}}}`;
}

/** Null if the action neither closes nor divides a block. */
function closeBlock(body: string, blocks: Block[], isScoped: boolean): Replacement | null {
  if (body === 'end') {
    const block = blocks.pop();
    return block ? `{{/${block.end}}}` : { problem: 'There is no open block to close.' };
  }
  if (body === 'else') return '{{else}}';
  const [, given] = /^else\s+if\s+([\s\S]+)$/.exec(body) ?? [];
  if (given === undefined) return null;
  const path = pathOf(given.trim(), isScoped);
  return path === null
    ? { problem: `The condition is not a single field: {{${shortened(body)}}}.` }
    : `{{else if ${path}}}`;
}

/** Null if the action calls no function of listmonk's. */
function callOf(body: string): Replacement | null {
  const [, name = '', rest = ''] = /^(\w+)(?:\s+([\s\S]*))?$/.exec(body) ?? [];
  const known = CALLS[name];
  if (known !== undefined) return known;
  if (name !== 'TrackLink' && name !== 'Safe') return null;
  const [, text] = /^(?:"([^"]*)"|`[^`]*`)\s*\.?$/.exec(rest.trim()) ?? [];
  return text ?? null;
}

/** Null if the action is not a field with an optional default. */
function valueOf(body: string, isScoped: boolean): Replacement | null {
  const [, fallback, given, piped, other] =
    /^(?:default\s+"([^"]*)"\s+(\S+)|(\S+)\s*\|\s*default\s+"([^"]*)")$/.exec(body) ?? [];
  const path = pathOf(given ?? piped ?? body, isScoped);
  if (path !== null) {
    const text = fallback ?? other;
    if (text === undefined) return `{{${path}}}`;
    const written = quoted(text);
    return written === null ? null : `{{default ${path} ${written}}}`;
  }
  const [, encoded] = /^(\S+)\s*\|\s*urlquery$/.exec(body) ?? [];
  const inner = encoded === undefined ? null : pathOf(encoded, isScoped);
  return inner === null ? null : `{{urlencode ${inner}}}`;
}

/** The path of a field in Handlebars. Within a loop, a field without `$` belongs to the element. */
function pathOf(expression: string, isScoped: boolean): string | null {
  const isRoot = expression.startsWith('$.');
  const field = isRoot ? expression.slice(1) : expression;
  if (isScoped && !isRoot) {
    if (field === '.') return 'this';
    return field.startsWith('.') && NAME.test(field.slice(1)) ? `this.${field.slice(1)}` : null;
  }
  const name = FIELDS[field] ?? DATA.exec(field)?.[1];
  if (name === undefined || !NAME.test(name)) return null;
  return isScoped ? `@root.${name}` : name;
}
