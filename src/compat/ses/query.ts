// The form of Amazon SES API v1 (AWS Query): parameters of a form, such as `Destination.ToAddresses.member.1`, and XML answers.
import type { Static, TSchema } from 'typebox';
import { invalidFields } from '../../contract/refusal.js';
import type { KeyPermission } from '../../contract/names.js';
import { closed } from '../../contract/schema.js';
import { schemaCheck } from '../../http/body/validation.js';
import { isForm, readSingle, toForm, type Form } from '../form-body.js';
import { compatRoute, UnknownOperation, type CompatCall, type CompatRoute } from '../route.js';
import { XML_TYPE, xmlDocument, xmlElement } from './xml.js';

const VERSION = '2010-12-01';
/** Parameters of every action. */
const COMMON = ['Action', 'Version'];
const MAX_DEPTH = 8;

interface Action<S extends TSchema> {
  name: string;
  permission: KeyPermission;
  body?: S;
  example?: unknown;
  isLarge?: true;
  /** Returns the content of the result; undefined if the answer has none. */
  handle: (call: CompatCall<Static<S>>) => Promise<object | undefined>;
}

export interface ActionRoute extends CompatRoute {
  action: string;
}

/** Declares an operation of API v1. */
export function action<S extends TSchema>({ name, handle, ...rest }: Action<S>): ActionRoute {
  const route = compatRoute({
    ...rest,
    method: 'POST',
    path: '',
    body: rest.body ?? closed({}),
    async handle(call) {
      const result = await handle(call as CompatCall<Static<S>>); // validated by the schema
      const content =
        (result === undefined ? '' : xmlElement(`${name}Result`, result)) +
        xmlElement('ResponseMetadata', { RequestId: call.requestId });
      return { type: XML_TYPE, body: xmlDocument(`${name}Response`, content) };
    },
  });
  return { ...route, action: name };
}

/** Finds the action that a form names, and returns its parameters as the action's schema has them. */
export function readAction(
  routes: readonly ActionRoute[],
  body: unknown,
): { route: ActionRoute; body: unknown } {
  const form = isForm(body) ? body : toForm({});
  const name = readSingle(form, 'Action') ?? '';
  const route = routes.find((one) => one.action === name);
  if (route === undefined) {
    throw new UnknownOperation(
      name === ''
        ? 'The request has no Action. Send the parameters of the action as a form, or use the API v2 at /v2/email.'
        : `Mailkeel does not support the action ${name.slice(0, 80)} of Amazon SES. The guide compat-ses in /docs lists the supported ` +
            'actions. For everything else, use the Mailkeel API (/v1).',
    );
  }
  const version = readSingle(form, 'Version');
  if (version !== undefined && version !== VERSION) {
    throw invalidFields([{ path: 'Version', message: `must be ${VERSION}` }]);
  }
  const { validator, problemsOf } = schemaCheck(route.body ?? closed({}));
  const parameters = validator().Convert(nested(form));
  if (!validator().Check(parameters)) throw invalidFields(problemsOf(parameters));
  return { route, body: parameters };
}

type Tree = Map<string, Tree | string>;

/** Builds objects and lists from names with dots. */
function nested({ fields }: Form): unknown {
  const root: Tree = new Map();
  for (const [name, values] of fields) {
    if (COMMON.includes(name)) continue;
    const path = name.split('.');
    const wrong = (message: string) => invalidFields([{ path: name.slice(0, 80), message }]);
    if (values.length > 1) throw wrong('is set more than once. Set it once');
    if (path.length > MAX_DEPTH) throw wrong('is not a known field');
    let place = root;
    for (const part of path.slice(0, -1)) {
      const below = place.get(part) ?? new Map<string, Tree | string>();
      if (typeof below === 'string') throw wrong('is both a value and the beginning of another parameter');
      place.set(part, below);
      place = below;
    }
    const last = path.at(-1) ?? '';
    if (place.has(last)) throw wrong('is both a value and the beginning of another parameter');
    place.set(last, values[0] ?? '');
  }
  return valueOf(root);
}

function valueOf(tree: Tree | string): unknown {
  if (typeof tree === 'string') return tree;
  const members = tree.get('member');
  if (
    tree.size === 1 &&
    members instanceof Map &&
    [...members.keys()].every((key) => /^\d{1,6}$/.test(key))
  ) {
    return [...members].sort(([a], [b]) => Number(a) - Number(b)).map(([, one]) => valueOf(one));
  }
  return Object.fromEntries([...tree].map(([name, one]) => [name, valueOf(one)]));
}
