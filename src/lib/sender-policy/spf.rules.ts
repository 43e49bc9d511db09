// Results of SPF (RFC 7208 section 2.6).

export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror';

/** The result of a domain's SPF record for an address. */
export interface SpfFinding {
  result: SpfResult;
  /** The record of the domain that was asked about; '' without one. */
  record: string;
  detail: string;
}

/** The result by the name that the package gives it; `temperror` for a name that is none. */
export function spfResultOf(name: string): SpfResult {
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
