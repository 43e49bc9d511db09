// Reads the path and parameters of MAIL and RCPT as written. The library accepts fewer paths than senders
// write, forgets the spelling of parameters, and lets unknown ones pass.
import { isXtext } from '../dsn/index.js';
import { envelopeAddress } from '../mime/index.js';

/** Values by name in upper case; '' for a parameter without a value. */
export type WrittenParameters = ReadonlyMap<string, string>;

export interface WrittenCommand {
  /**
   * The address with its domain in A-labels and quotes only if necessary; '' for the null sender, `null`
   * without a path.
   */
  address: string | null;
  /** The parameters as text. */
  rest: string;
  parameters: WrittenParameters;
}

/**
 * Matches a path in angle brackets, or without them as some programs write it. Quoted local parts may contain
 * blanks and brackets.
 */
const PATH = /^\s*(?:<((?:"(?:[^"\\]|\\.)*"|[^"<>])*)>|((?:"(?:[^"\\]|\\.)*"|[^\s"<>])+))(?=\s|$)/;
/** RFC 5321 appendix C: a source route is accepted and ignored. */
const SOURCE_ROUTE = /^@[^\s,:@]+(?:,@[^\s,:@]+)*:/;
/** Control and invisible characters, which no address may contain. */
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u200b\u2060\ufeff]/;

/** Reads a command line such as `RCPT TO:<ann@example.com> NOTIFY=NEVER`. */
export function writtenCommand(line: string): WrittenCommand {
  const text = line.slice(line.indexOf(':') + 1);
  const [path, bracketed, bare] = PATH.exec(text) ?? [];
  const address = (bracketed ?? bare)?.trim().replace(SOURCE_ROUTE, '');
  const rest = path === undefined ? '' : text.slice(path.length).trim();
  return {
    address: address === undefined || UNSAFE.test(address) ? null : envelopeAddress(address),
    rest,
    parameters: readParameters(rest),
  };
}

function readParameters(text: string): WrittenParameters {
  const parameters = new Map<string, string>();
  for (const word of text === '' ? [] : text.split(/\s+/)) {
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

/** Returns the problem with the parameters of MAIL that the library does not check for, or `null`. */
export function mailParameterProblem(parameters: WrittenParameters): string | null {
  const envid = parameters.get('ENVID');
  const isFine = envid === undefined || (envid.length <= MAX_ENVID_CHARS && isXtext(envid));
  return isFine ? null : 'ENVID must be xtext of at most 100 characters';
}

/**
 * Does the same for RCPT. Only checks the length of an internationalized ORCPT (RFC 6533), which has its own
 * encoding.
 */
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
