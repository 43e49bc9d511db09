// Failures of attempts in one shape, whether a peer, the network or DNS caused them.
import type { AttemptResult, Peer } from './attempt.rules.js';
import type { BounceRules, ReplyPhase } from './bounce-class.rules.js';
import { classifyReply, type ReplyVerdict } from './disposition.rules.js';

/** Failure of an attempt. `text` is the reply or an error message, and `enhanced` an RFC 3463 code. */
export interface Failure {
  verdict: ReplyVerdict;
  phase: ReplyPhase | 'route';
  code: number | null;
  enhanced: string | null;
  text: string;
  peer: Peer | null;
}

/** Classifies a result. Returns `null` if it is not a failure. */
export function classifyFailure(result: AttemptResult, rules: BounceRules): Failure | null {
  switch (result.kind) {
    case 'refused': {
      const { phase, reply, peer } = result;
      const { code, enhanced, text } = reply;
      const verdict = classifyReply({ phase, code, enhanced, text, provider: peer.provider }, rules);
      return { verdict, phase, code, enhanced, text, peer };
    }
    case 'unreachable':
      return {
        verdict: classifyReply(
          { phase: result.phase, code: null, enhanced: null, text: result.error },
          rules,
        ),
        phase: result.phase,
        code: null,
        // No answer from the host, or a cryptographic failure (RFC 3463 sections 3.5 and 3.8).
        enhanced: result.phase === 'tls' || result.phase === 'starttls' ? '4.7.5' : '4.4.1',
        text: result.error,
        peer: result.peer,
      };
    case 'unroutable':
      return {
        // One failed lookup does not suppress an address, because outages of registrars pass.
        verdict: {
          disposition: result.permanent ? 'fail' : 'retry',
          category: result.category,
          suppress: 'never',
        },
        phase: 'route',
        code: null,
        enhanced: result.enhanced,
        text: result.message,
        peer: null,
      };
    case 'accepted':
    case 'ambiguous':
    case 'suppressed':
    case 'skipped':
    case 'canceled':
    case 'held':
    case 'failed':
    case 'unattempted':
      return null;
  }
}
