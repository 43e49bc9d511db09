// Defines SPF results (RFC 7208 section 2.6).

export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror';

/** The result of a domain's SPF record for an address. */
export interface SpfFinding {
  result: SpfResult;
  /** The record of the requested domain; '' without one. */
  record: string;
  detail: string;
}

/** Returns the result for the package's name of it; `temperror` for an unknown name. */
export function toSpfResult(name: string): SpfResult {
  switch (name) {
    case 'pass':
    case 'fail':
    case 'softfail':
    case 'neutral':
    case 'none':
    case 'permerror':
      return name;
    default:
      return 'temperror';
  }
}
