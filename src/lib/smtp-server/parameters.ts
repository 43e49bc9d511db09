// Parameters of MAIL and RCPT as they were written. The library decodes and checks them, but forgets their spelling,
// and lets unknown ones pass.
import { isXtext } from '../dsn/xtext.js';

/** By name in upper case; '' for a parameter without a value. */
export type WrittenParameters = ReadonlyMap<string, string>;

const NONE: WrittenParameters = new Map();

/** Of a command line such as `RCPT TO:<ann@example.com> NOTIFY=NEVER`. */
export function writtenParameters(line: string): WrittenParameters {
  const words = line
    .slice(line.indexOf(':') + 1)
    .trim()
    .split(/\s+/);
  if (words.length < 2) return NONE;
  const parameters = new Map<string, string>();
  for (const word of words.slice(1)) {
    const equals = word.indexOf('=');
    if (equals === -1) parameters.set(word.toUpperCase(), '');
    else parameters.set(word.slice(0, equals).toUpperCase(), word.slice(equals + 1));
  }
  return parameters;
}

/** RFC 3461 sections 4.2 and 4.4, counted in xtext. */
const MAX_ORCPT_CHARS = 500;
const MAX_ENVID_CHARS = 100;
const ORCPT = /^[A-Za-z0-9-]+;/;

/** The problem of the parameters of MAIL that the library does not find, or null. */
export function mailParameterProblem(parameters: WrittenParameters): string | null {
  const envid = parameters.get('ENVID');
  const isFine = envid === undefined || (envid.length <= MAX_ENVID_CHARS && isXtext(envid));
  return isFine ? null : 'ENVID must be xtext of at most 100 characters';
}

/** The same of RCPT. An internationalized ORCPT (RFC 6533) has its own encoding, and is only measured. */
export function rcptParameterProblem(parameters: WrittenParameters): string | null {
  const orcpt = parameters.get('ORCPT');
  if (orcpt === undefined) return null;
  const type = ORCPT.exec(orcpt)?.[0];
  if (type === undefined || orcpt.length > MAX_ORCPT_CHARS) {
    return 'ORCPT must have a type, a semicolon and at most 500 characters';
  }
  const isFine = type.toLowerCase() === 'utf-8;' || isXtext(orcpt.slice(type.length));
  return isFine ? null : 'the address of ORCPT must be xtext';
}
