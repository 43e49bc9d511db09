// Checks, compiles and renders Handlebars templates for mail, within limits on work and output. Rendering
// always ends without a clock, because every placeholder and loop round is counted.
import { createHash } from 'node:crypto';
import Handlebars from 'handlebars';
import { LRUCache } from 'lru-cache';
import { valueMark, type Filling } from './template-filling.js';
import { oneLine, OUTPUT_LIMITS, type TemplateKind, type Variables } from './template-output.js';
import type { TemplateProblem } from './template-scan.js';
import { createHelpers, VALUE_HELPERS } from './template-helpers.js';
import {
  BLOCK_HELPERS,
  isCall,
  hashPairs,
  parseTemplate,
  blockPrograms,
  type ParsedTemplate,
  namesBound,
  valueHelper,
} from './template-syntax.js';
import { toText } from './template-values.js';

/**
 * The meaning of names at one place: the path of `this` (`null` if it has no name) and the block parameters.
 */
type Scope = { self: string[] | null; bound: ReadonlyMap<string, string[] | null>; outer: Scope | null };

/** Always the service's own link, even in a loop whose data has a field of this name. */
const UNSUBSCRIBE_URL = 'unsubscribe_url';

type NamesRead = {
  names: string[];
  /** Names by node; nodes that read unnamed values are absent. */
  nameOf: ReadonlyMap<hbs.AST.Node, string>;
};

type Found = { names: Set<string>; nameOf: Map<hbs.AST.Node, string> };

/**
 * Returns the dotted names that a template reads, in order of first use, as the sender must supply them:
 * `user.name`; inside `{{#each items}}` or `{{#with items}}` a `name` is `items.name`. Omits loop data
 * (`@index`) and names that depend on the data.
 */
function namesIn(program: hbs.AST.Program): NamesRead {
  const found: Found = { names: new Set(), nameOf: new Map() };
  walk(program, { self: [], bound: new Map(), outer: null }, found);
  return { names: [...found.names], nameOf: found.nameOf };
}

function walk(program: hbs.AST.Program, scope: Scope, found: Found): void {
  for (const statement of program.body) {
    if (statement.type === 'MustacheStatement') {
      const mustache = statement as hbs.AST.MustacheStatement;
      if (isCall(mustache)) noteCall(mustache, scope, found);
      else note(mustache.path, scope, found);
    } else if (statement.type === 'BlockStatement') {
      walkBlock(statement as hbs.AST.BlockStatement, scope, found);
    }
  }
}

function walkBlock(block: hbs.AST.BlockStatement, scope: Scope, found: Found): void {
  const [subject] = block.params;
  const path = subject === undefined ? null : note(subject, scope, found);
  const isContext = block.path.original === 'each' || block.path.original === 'with';
  for (const program of blockPrograms(block)) {
    const entered = isContext && BLOCK_HELPERS.includes(block.path.original) && program === block.program;
    walk(program, entered ? inner(program, path, scope) : scope, found);
  }
}

function inner(program: hbs.AST.Program, self: string[] | null, outer: Scope): Scope {
  const bound = new Map<string, string[] | null>(outer.bound);
  namesBound(program).forEach((name, index) => bound.set(name, index === 0 ? self : null));
  return { self: self !== null && self.length > 0 ? self : null, bound, outer };
}

function noteCall(call: hbs.AST.MustacheStatement | hbs.AST.SubExpression, scope: Scope, found: Found): void {
  for (const param of call.params) note(param, scope, found);
  for (const { value } of hashPairs(call)) note(value, scope, found);
}

/** Records the name that an expression reads and returns its full path; `null` without one. */
function note(node: hbs.AST.Node, scope: Scope, found: Found): string[] | null {
  if (node.type === 'SubExpression') {
    noteCall(node as hbs.AST.SubExpression, scope, found);
    return null;
  }
  if (node.type !== 'PathExpression') return null;
  const path = resolve(node as hbs.AST.PathExpression, scope);
  if (path !== null && path.length > 0) {
    const name = path.join('.');
    found.names.add(name);
    found.nameOf.set(node, name);
  }
  return path;
}

function resolve(path: hbs.AST.PathExpression, scope: Scope): string[] | null {
  const parts = path.parts;
  if (readsUnsubscribeUrl(path)) return [UNSUBSCRIBE_URL];
  const [first, ...rest] = parts;
  if (path.data) return first === 'root' ? rest : null;
  const isThis = /^(?:\.|this\b)/.test(path.original);
  if (path.depth === 0 && !isThis && first !== undefined && scope.bound.has(first)) {
    const bound = scope.bound.get(first) ?? null;
    return bound === null ? null : [...bound, ...rest];
  }
  let at: Scope | null = scope;
  for (let up = path.depth; up > 0 && at !== null; up--) at = at.outer;
  return at === null || at.self === null ? null : [...at.self, ...parts];
}

/**
 * Matches `unsubscribe_url`, `this.unsubscribe_url` and `../unsubscribe_url`, but not `item.unsubscribe_url`,
 * which is another value.
 */
function readsUnsubscribeUrl({ parts, data }: hbs.AST.PathExpression): boolean {
  return !data && parts.length === 1 && parts[0] === UNSUBSCRIBE_URL;
}

const MAX_SUBJECT_SOURCE = 10_000;
/** Placeholders, conditions and loop rounds allowed per rendering. */
const MAX_STEPS = 200_000;
const MAX_MISSING = 100;

/**
 * `missing`: names whose placeholders were reached without a value, at most 100. `filling`: how HTML was
 * filled, if its template has neither blocks nor unescaped values.
 */
type Rendered =
  | { kind: 'rendered'; output: string; missing: string[]; filling: Filling | null }
  | { kind: 'problem'; problem: TemplateProblem };
type Compiled =
  | { kind: 'compiled'; key: string; isFlat: boolean; run: (variables: Variables) => string }
  | { kind: 'problem'; problem: TemplateProblem };
/** Handlebars for one kind of template, with the meter that its helpers charge. */
type Engine = { environment: typeof Handlebars; meter: Meter };
type Meter = {
  steps: number;
  chars: number;
  maxChars: number;
  missing: Set<string>;
  values: Filled[] | null;
  isMarking: boolean;
};
type Filled = Filling['values'][number];
type NameOf = NamesRead['nameOf'];

class LimitReached extends Error {}

// No name can contain a space, so templates cannot call these helpers and block parameters cannot shadow
// them.
const EMIT = ' emit';
const EMIT_ESCAPED = ' emit escaped';
/**
 * Returns the internal name of a value helper, because a variable or block parameter may have the same name.
 */
const internal = (helper: string): string => ` ${helper}`;
/** Option of a block that contains its value's name. */
const NAME = ' name';

/**
 * Returns the problem of a template's source, or `null`. The worst source takes a quarter of a second, so run
 * it in a worker.
 */
export function templateProblem(source: string, kind: TemplateKind): TemplateProblem | null {
  const parsed = parse(source, kind);
  return parsed.kind === 'problem' ? parsed.problem : null;
}

function parse(source: string, kind: TemplateKind): ParsedTemplate {
  if (kind !== 'subject' || source.length <= MAX_SUBJECT_SOURCE) return parseTemplate(source);
  const message = `The subject exceeds ${MAX_SUBJECT_SOURCE} characters.`;
  return { kind: 'problem', problem: { line: 1, message } };
}

/** Returns the variables that a template reads, as listed by `namesIn`; none if the source has a problem. */
export function templateVariables(source: string): string[] {
  const parsed = parseTemplate(source);
  return parsed.kind === 'problem' ? [] : namesIn(parsed.program).names;
}

/**
 * Creates a renderer that caches compiled templates by the hash of their source, up to about `cacheBytes`.
 */
export function createTemplates({ cacheBytes = 48 * 1024 * 1024 }: { cacheBytes?: number } = {}): {
  render: (source: string, kind: TemplateKind, variables: Variables) => Rendered;
} {
  const engines = {
    subject: createEngine('subject'),
    html: createEngine('html'),
    text: createEngine('text'),
  };
  const cache = new LRUCache<string, Compiled>({ maxSize: cacheBytes });

  const compiled = (source: string, kind: TemplateKind): Compiled => {
    const key = `${kind}:${createHash('sha256').update(source).digest('base64')}`;
    const kept = cache.get(key);
    if (kept !== undefined) return kept;
    const made = compile(source, kind, engines[kind], key);
    cache.set(key, made, { size: compiledBytes(source) });
    return made;
  };

  return {
    render: (source, kind, variables) => {
      const template = compiled(source, kind);
      if (template.kind === 'problem') return template;
      return run(template, engines[kind].meter, kind, variables);
    },
  };
}

// Estimates the memory of a compiled template: by measurement half to one kilobyte per placeholder, and some
// 20 for itself.
function compiledBytes(source: string): number {
  return 20_000 + source.length + 1_000 * (source.split('{{').length - 1);
}

function run(
  template: Extract<Compiled, { kind: 'compiled' }>,
  meter: Meter,
  kind: TemplateKind,
  variables: Variables,
): Rendered {
  meter.steps = 0;
  meter.chars = 0;
  meter.missing.clear();
  const values: Filled[] | null = template.isFlat ? [] : null;
  meter.values = values;
  meter.isMarking = false;
  try {
    const output = kind === 'subject' ? oneLine(template.run(variables)) : template.run(variables);
    if (output.length > meter.maxChars) throw tooLong(meter);
    const filling = values && { key: template.key, values, marked: () => marked(template.run, meter) };
    return { kind: 'rendered', output, missing: [...meter.missing], filling };
  } catch (error) {
    if (error instanceof LimitReached)
      return { kind: 'problem', problem: { line: 1, message: error.message } };
    // Handlebars compares the context of a block with its parent, which fails for an object with its own
    // `toString`.
    if (error instanceof TypeError) {
      const message = `A value cannot be filled in (${error.message}).`;
      return { kind: 'problem', problem: { line: 1, message } };
    }
    throw error;
  }
}

/** Renders with marks. Without blocks, the same placeholders are reached for all variables. */
function marked(template: (variables: Variables) => string, meter: Meter): string {
  meter.steps = 0;
  meter.chars = 0;
  meter.values = [];
  meter.isMarking = true;
  return template({});
}

function compile(source: string, kind: TemplateKind, { environment }: Engine, key: string): Compiled {
  const parsed = parse(source, kind);
  if (parsed.kind === 'problem') return parsed;
  const isFlat = kind === 'html' && isFlatProgram(parsed.program);
  prepare(parsed.program, { isHtml: kind === 'html', nameOf: namesIn(parsed.program).nameOf });
  const template = environment.compile<Variables>(parsed.program, {
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(
      [EMIT, EMIT_ESCAPED, ...VALUE_HELPERS.map(internal)].map((name) => [name, true]),
    ),
    noEscape: true,
  });
  // Explicit, so that Handlebars neither allows prototypes nor logs denials.
  const options = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false };
  const runAndForget = (variables: Variables): string => {
    try {
      return template(variables, options);
    } finally {
      // Handlebars compiles at the first run and would keep the syntax tree, which takes most of the memory.
      parsed.program.body.length = 0;
    }
  };
  return { kind: 'compiled', key, isFlat, run: runAndForget };
}

function createEngine(kind: TemplateKind): Engine {
  const environment = Handlebars.create();
  const meter: Meter = {
    steps: 0,
    chars: 0,
    maxChars: OUTPUT_LIMITS[kind],
    missing: new Set(),
    values: null,
    isMarking: false,
  };
  environment.unregisterHelper('log');
  for (const name of [...BLOCK_HELPERS, 'lookup']) meterHelper(environment, name, meter);
  const helpers = createHelpers({
    steps: (count) => step(meter, count),
    chars: (count) => charge(meter, count),
  });
  for (const [name, helper] of Object.entries(helpers)) {
    environment.registerHelper(internal(name), (...args: unknown[]) => {
      step(meter);
      const { hash } = args.pop() as Handlebars.HelperOptions;
      return helper(args, hash as Record<string, unknown>);
    });
  }
  const emit = (text: string): string => {
    step(meter);
    charge(meter, text.length);
    return text;
  };
  environment.registerHelper(EMIT, (value: unknown, name: unknown) => {
    noteMissing(meter, value, name);
    return emit(toText(value));
  });
  environment.registerHelper(EMIT_ESCAPED, (value: unknown, name: unknown) => {
    noteMissing(meter, value, name);
    const raw = toText(value);
    const shown = Handlebars.escapeExpression(raw);
    const count = meter.values?.push({ raw, shown }) ?? 0;
    return meter.isMarking ? valueMark(count - 1) : emit(shown);
  });
  return { environment, meter };
}

function meterHelper(environment: typeof Handlebars, name: string, meter: Meter): void {
  const builtIn = environment.helpers[name];
  if (builtIn === undefined) throw new Error(`Handlebars has no helper ${name}`);
  environment.registerHelper(name, function (this: unknown, ...args: unknown[]): unknown {
    step(meter);
    if (name === 'each') {
      const options = args[1] as Handlebars.HelperOptions;
      args[1] = { ...options, fn: meteredRound(options.fn, meter) };
    }
    if (name === 'each' || name === 'with') {
      const { hash } = args[1] as { hash: Readonly<Record<string, unknown>> };
      noteMissing(meter, args[0], hash[NAME]);
    }
    // An object as key would call a `toString` from the data.
    if (name === 'lookup') args[1] = toText(args[1]);
    return Reflect.apply(builtIn, this, args);
  });
}

// Limits the output of loops, because only a loop can repeat the template's own text.
function meteredRound(fn: Handlebars.TemplateDelegate, meter: Meter): Handlebars.TemplateDelegate {
  let chars = 0;
  return (context, options) => {
    step(meter);
    const output = fn(context, options);
    chars += output.length;
    if (chars > meter.maxChars) throw tooLong(meter);
    return output;
  };
}

function step(meter: Meter, count = 1): void {
  meter.steps += count;
  if (meter.steps <= MAX_STEPS) return;
  throw new LimitReached(
    `Filled in, the template takes more than ${MAX_STEPS} placeholders and loop rounds.`,
  );
}

function noteMissing(meter: Meter, value: unknown, name: unknown): void {
  if (value !== undefined && value !== null && value !== '') return;
  if (typeof name === 'string' && meter.missing.size < MAX_MISSING) meter.missing.add(name);
}

function charge(meter: Meter, chars: number): void {
  meter.chars += chars;
  if (meter.chars > meter.maxChars) throw tooLong(meter);
}

function tooLong(meter: Meter): LimitReached {
  return new LimitReached(`Filled in, this part is longer than ${meter.maxChars} characters.`);
}

/** Returns whether the template only has text and escaped placeholders. */
function isFlatProgram({ body }: hbs.AST.Program): boolean {
  return body.every(({ type, ...statement }) => {
    if (type === 'MustacheStatement') return (statement as hbs.AST.MustacheStatement).escaped;
    return type === 'ContentStatement' || type === 'CommentStatement';
  });
}

type Preparation = { isHtml: boolean; nameOf: NameOf };

/** Turns every `{{value}}` into a call of the emit helper, the only place where a value becomes output. */
function prepare(program: hbs.AST.Program, how: Preparation): void {
  for (const statement of program.body) {
    if (statement.type === 'BlockStatement') prepareBlock(statement as hbs.AST.BlockStatement, how);
    else if (statement.type === 'MustacheStatement') {
      preparePlaceholder(statement as hbs.AST.MustacheStatement, how);
    }
  }
}

function prepareBlock(block: hbs.AST.BlockStatement, how: Preparation): void {
  const { loc } = block;
  const [subject] = block.params;
  const name = subject === undefined ? undefined : how.nameOf.get(subject);
  block.params.forEach(prepareExpression);
  const isContext = block.path.original === 'each' || block.path.original === 'with';
  // A block with `{{else}}` handles a missing value itself.
  if (isContext && name !== undefined && blockPrograms(block).length === 1) {
    block.hash = {
      type: 'Hash',
      pairs: [{ type: 'HashPair', key: NAME, value: literal(name, loc), loc }],
      loc,
    };
  }
  for (const branch of blockPrograms(block)) prepare(branch, how);
}

function preparePlaceholder(mustache: hbs.AST.MustacheStatement, { isHtml, nameOf }: Preparation): void {
  const { loc } = mustache;
  // An empty result of a helper counts as missing under the name of its value.
  const [first] = mustache.params;
  const named = first !== undefined && valueHelper(mustache) !== null ? first : mustache.path;
  const name = nameOf.get(named);
  const value = isCall(mustache)
    ? { type: 'SubExpression', path: mustache.path, params: mustache.params, hash: mustache.hash, loc }
    : valuePath(mustache.path);
  prepareExpression(value);
  const helper = isHtml && mustache.escaped ? EMIT_ESCAPED : EMIT;
  mustache.params = name === undefined ? [value] : [value, literal(name, loc)];
  mustache.path = pathTo(helper, loc);
  mustache.escaped = false;
}

/**
 * Makes calls use the helpers' internal names, and reads the unsubscribe link from the place that only the
 * service fills, whatever data a block has entered.
 */
function prepareExpression(node: hbs.AST.Node): void {
  if (node.type === 'SubExpression') {
    const call = node as hbs.AST.SubExpression;
    const helper = valueHelper(call);
    if (helper !== null) call.path = pathTo(internal(helper), call.loc);
    call.params.forEach(prepareExpression);
    hashPairs(call).forEach(({ value }) => prepareExpression(value));
  }
  if (node.type !== 'PathExpression') return;
  const path = node as hbs.AST.PathExpression;
  if (!readsUnsubscribeUrl(path)) return;
  const parts = ['root', UNSUBSCRIBE_URL];
  Object.assign(path, { data: true, depth: 0, parts, original: `@${parts.join('.')}` });
}

function literal(value: string, loc: hbs.AST.SourceLocation): hbs.AST.StringLiteral {
  return { type: 'StringLiteral', value, original: value, loc };
}

// Returns a path, because Handlebars reads `{{"first name"}}` and `{{12}}` as variables of that name.
function valuePath(path: hbs.AST.PathExpression | hbs.AST.Literal): hbs.AST.Expression {
  if (path.type === 'PathExpression' || !('original' in path)) return path;
  const name = `${path.original as string | number | boolean | undefined}`;
  return pathTo(name, path.loc);
}

function pathTo(name: string, loc: hbs.AST.SourceLocation): hbs.AST.PathExpression {
  return { type: 'PathExpression', original: name, parts: [name], data: false, depth: 0, loc };
}
