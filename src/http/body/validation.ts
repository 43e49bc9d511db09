// Validates bodies and queries against their schemas and reports problems by field name.
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import { nearestField } from './field-names.rules.js';
import { absentRemover, type AbsentRemover } from './absent-values.js';
import { excerptBody, namesIn } from './problem-excerpt.js';

const MAX_ERRORS = 64;
const MAX_FIELDS = 20;
const UNKNOWN_FIELD = 'is not a known field';
const BEYOND_EXCERPT = 'one of its many fields is unknown or has the wrong type';

/** Checks bodies and queries against one schema. */
interface SchemaCheck<Schema extends TSchema> {
  /** Compiled at the first call. */
  validator: () => ReturnType<typeof Compile<Schema>>;
  /** Returns at most 20 problems of an invalid body, in time that does not grow with their number. */
  problemsOf: (body: unknown) => FieldProblem[];
  removeAbsent: AbsentRemover;
}

const checks = new WeakMap<TSchema, SchemaCheck<TSchema>>();

/** Creates the check of a schema once: several routes share a schema, and compiling a large one takes milliseconds. */
export function schemaCheck<Schema extends TSchema>(schema: Schema): SchemaCheck<Schema> {
  const known = checks.get(schema) ?? createCheck(schema);
  checks.set(schema, known);
  return known as SchemaCheck<Schema>; // made of this schema
}

function createCheck(schema: TSchema): SchemaCheck<TSchema> {
  const validator = once(() => Compile(schema));
  const names = once(() => namesIn(schema));
  const removeAbsent = once(() => absentRemover(schema));
  return {
    validator,
    problemsOf: (body) => {
      const problems = fieldProblems(validator().Errors(excerptBody(body, names())), schema);
      return problems.length > 0 ? problems : [{ path: '', message: BEYOND_EXCERPT }];
    },
    removeAbsent: (body, options) => {
      removeAbsent()(body, options);
    },
  };
}

/**
 * Creates the validators of all routes, each compiled by its first request. Only queries are converted (`limit=5` becomes a
 * number); bodies must have the right types. Each refusal is a 422 with at most 20 fields.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  Settings.Set({ maxErrors: MAX_ERRORS });
  return ({ schema, httpPart, method }) => {
    const isBody = httpPart === 'body';
    // An update clears a field with an empty value.
    const isEmptyAbsent = method === 'POST';
    const { validator, problemsOf, removeAbsent } = schemaCheck(schema);
    const readValues = once(() => queryValuesReader(schema));
    return (input: unknown) => {
      if (isBody) removeAbsent(input, { isEmptyAbsent });
      const value: unknown = isBody ? input : validator().Convert(readValues()(input));
      if (validator().Check(value)) {
        const problems = httpPart === 'querystring' ? nulProblems(value) : [];
        return problems.length === 0 ? { value } : { error: invalidFields(problems) };
      }
      if (isBody && isNothing(input)) {
        return { error: invalidFields([{ path: '', message: 'a JSON body is required' }]) };
      }
      const problems = isBody
        ? problemsOf(value)
        : ofParameters(fieldProblems(validator().Errors(value), schema));
      return { error: invalidFields(problems) };
    };
  };
}

/** Calls `make` the first time only. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Keeps one problem per parameter; the message says which value is wrong. */
function ofParameters(problems: readonly FieldProblem[]): FieldProblem[] {
  const byName = new Map<string, FieldProblem>();
  for (const { path, message } of problems) {
    const name = path.replace(/\.\d+$/, '');
    if (!byName.has(name)) byName.set(name, { path: name, message });
  }
  return [...byName.values()];
}

/** Finds NUL characters, which no stored text contains and which a database refuses or takes for the end of the text. */
function nulProblems(query: unknown): FieldProblem[] {
  return Object.entries(query as Record<string, unknown>)
    .filter(([, value]) => textsOf(value).some((text) => text.includes('\0')))
    .map(([path]) => ({ path, message: 'contains a NUL character' }));
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flat().flatMap(textsOf);
}

function isNothing(input: unknown): boolean {
  return input === undefined || input === null;
}

/** Returns one problem per field in a developer's words. For a union, only the problems of the intended form are kept. */
function fieldProblems(errors: readonly TLocalizedValidationError[], schema: TSchema): FieldProblem[] {
  const problems = new Map<string, string>();
  for (const error of withoutUnionNoise(errors)) {
    for (const { path, message } of problemsOfError(error, schema)) {
      if (!problems.has(path) && problems.size < MAX_FIELDS) problems.set(path, message);
    }
  }
  return [...problems].map(([path, message]) => ({ path, message }));
}

type ValidationError = TLocalizedValidationError;

/** For a union without a match, keeps the problems of the only branch with the right type, or else joins the types. */
function withoutUnionNoise(errors: readonly ValidationError[]): ValidationError[] {
  let kept = [...errors];
  for (const union of errors.filter((error) => error.keyword === 'anyOf')) {
    const prefix = `${union.schemaPath}/anyOf/`;
    // List elements share a schema, so problems of other elements are left out.
    const isInside = ({ schemaPath, instancePath }: ValidationError): boolean =>
      schemaPath.startsWith(prefix) && `${instancePath}/`.startsWith(`${union.instancePath}/`);
    const inside = kept.filter(isInside);
    const outside = kept.filter((error) => error !== union && !isInside(error));
    const wrongTypes = inside.filter(
      (error) => error.keyword === 'type' && error.instancePath === union.instancePath,
    );
    const branchOf = (error: ValidationError) => error.schemaPath.slice(prefix.length).split('/')[0];
    const wrongBranches = new Set(wrongTypes.map(branchOf));
    const meant = meantBranch(
      inside.filter((error) => !wrongBranches.has(branchOf(error))),
      union.instancePath,
      branchOf,
    );
    kept =
      meant.length > 0 ? [...outside, ...meant] : [...outside, { ...union, message: joined(wrongTypes) }];
  }
  return kept;
}

/**
 * For a union whose branches differ by a constant (`type: "wait"`), returns the problems of the branch with the given constant,
 * or else that one field. Returns all problems if no constant distinguishes the branches.
 */
function meantBranch(
  errors: readonly ValidationError[],
  at: string,
  branchOf: (error: ValidationError) => string | undefined,
): ValidationError[] {
  const branches = new Set(errors.map(branchOf));
  if (branches.size < 2) return [...errors];
  const below = errors.filter((error) => parentOf(error.instancePath) === at);
  const choices = below.filter(({ keyword }) => keyword === 'const' || keyword === 'enum');
  const constant = choices.find(({ keyword }) => keyword === 'const') ?? choices[0];
  const unmet = choices.filter(({ instancePath }) => instancePath === constant?.instancePath);
  const others = new Set(unmet.map(branchOf));
  if (others.size > 0 && others.size < branches.size) {
    return errors.filter((error) => !others.has(branchOf(error)));
  }
  const [first] = unmet;
  if (first !== undefined) {
    return [{ ...first, keyword: 'enum', params: { allowedValues: unmet.flatMap(valuesOf) } }];
  }
  const missing = errors.flatMap((error) =>
    error.keyword === 'required' && error.instancePath === at ? [error] : [],
  );
  const inAll = missing[0]?.params.requiredProperties.filter((name) =>
    missing.every(({ params }) => params.requiredProperties.includes(name)),
  );
  if (missing[0] === undefined || missing.length < branches.size || inAll?.length !== 1) return [...errors];
  return [{ ...missing[0], params: { requiredProperties: inAll } }];
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

function valuesOf(error: ValidationError): unknown[] {
  if (error.keyword === 'const') return [error.params.allowedValue];
  return error.keyword === 'enum' ? error.params.allowedValues : [];
}

function joined(wrongTypes: readonly ValidationError[]): string {
  const types = wrongTypes.flatMap((error) => (error.keyword === 'type' ? error.params.type : []));
  return `must be ${[...new Set(types)].map(withArticle).join(' or ')}`;
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function problemsOfError(error: ValidationError, schema: TSchema): FieldProblem[] {
  const path = dotted(error.instancePath);
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  // An unknown field is reported individually and again in a list; a long list would exceed the bound on errors.
  if (error.keyword === 'boolean') return [{ path, message: unknownField(nameOf(error), error, schema) }];
  if (error.keyword === 'additionalProperties') {
    return error.params.additionalProperties.map((name) => ({
      path: below(name),
      message: unknownField(name, error, schema),
    }));
  }
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({ path: below(name), message: 'is required' }));
  }
  return [{ path, message: messageOf(error) }];
}

function nameOf({ instancePath }: ValidationError): string {
  return dotted(instancePath.slice(instancePath.lastIndexOf('/')));
}

/** Suggests the intended field among those of the same object. */
function unknownField(name: string, { schemaPath }: ValidationError, schema: TSchema): string {
  const meant = nearestField(name, fieldsAt(schema, schemaPath));
  return meant === null ? UNKNOWN_FIELD : `${UNKNOWN_FIELD}. Did you mean ${meant}?`;
}

/** Returns the field names of the object at a location in a schema. */
function fieldsAt(schema: TSchema, schemaPath: string): string[] {
  let place: unknown = schema;
  for (const part of schemaPath.split('/').slice(1)) {
    if (part === 'additionalProperties') break;
    place = typeof place === 'object' && place !== null ? Reflect.get(place, part) : undefined;
  }
  const properties: unknown =
    typeof place === 'object' && place !== null ? Reflect.get(place, 'properties') : null;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function messageOf(error: ValidationError): string {
  if (error.keyword === 'type') return `must be ${[error.params.type].flat().map(withArticle).join(' or ')}`;
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.map(String).join(', ')}`;
  if (error.keyword === 'const') return `must be ${JSON.stringify(error.params.allowedValue)}`;
  return error.message;
}

/** Converts a JSON pointer into a dotted path. */
function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

// Query values with several parts: lists (`status=bounced,failed`, or the parameter repeated) and objects
// (`metadata[key]=value`).
interface ObjectSchema {
  properties?: Record<string, { type?: unknown; items?: { enum?: unknown } }>;
}

/**
 * Converts parameters into the lists and objects that the schema declares. Commas separate the values of a list of fixed words.
 * Other lists (tags, addresses) take one value per parameter, since a value may contain a comma.
 */
function queryValuesReader(schema: TSchema): (query: unknown) => unknown {
  const properties = Object.entries((schema as ObjectSchema).properties ?? {});
  const lists = properties.filter(([, { type }]) => type === 'array');
  const objects = properties.filter(([, { type }]) => type === 'object').map(([name]) => name);
  if (lists.length === 0 && objects.length === 0) return (query) => query;
  return (query) => {
    if (typeof query !== 'object' || query === null) return query;
    const read = new Map<string, unknown>(Object.entries(query));
    for (const [name, { items }] of lists) {
      const given = read.get(name);
      if (given === undefined) continue;
      const values: unknown[] = [given].flat();
      const isOfWords = items?.enum !== undefined;
      read.set(name, isOfWords ? values.flatMap((value) => String(value).split(',')) : values);
    }
    for (const name of objects) gather(read, name);
    return Object.fromEntries(read);
  };
}

/** Collects `name[key]=value` parameters into one object. A duplicate key keeps both values, which every schema refuses. */
function gather(read: Map<string, unknown>, name: string): void {
  const start = `${name}[`;
  const keys = [...read.keys()].filter((key) => key.startsWith(start) && key.endsWith(']'));
  if (keys.length === 0) return;
  read.set(name, Object.fromEntries(keys.map((key) => [key.slice(start.length, -1), read.get(key)])));
  for (const key of keys) read.delete(key);
}
