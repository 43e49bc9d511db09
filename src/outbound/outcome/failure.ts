// A failed attempt in one shape: a peer's reply, a network that is down, a DNS without a route.
import type { AttemptResult, Peer } from './attempt.rules.js';
import type { BounceRules, ReplyPhase } from './bounce-class.rules.js';
import { classifyReply, type ReplyVerdict } from './disposition.rules.js';

/** Failure of an attempt, as a peer, the network or the DNS reported it. */
export interface Failure {
  verdict: ReplyVerdict;
  phase: ReplyPhase | 'route';
  code: number | null;
  enhanced: string | null;
  text: string;
  peer: Peer | null;
}

/** The failure of a result; null for one that is none. */
export function failureOf(result: AttemptResult, rules: BounceRules): Failure | null {
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
        // RFC 3463: no answer from the host, or a cryptographic failure.
        enhanced: result.phase === 'tls' || result.phase === 'starttls' ? '4.7.5' : '4.4.1',
        text: result.error,
        peer: result.peer,
      };
    case 'unroutable':
      return {
        // A domain without DNS is not suppressed by one look: registrars have bad days.
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
    case 'held':
    case 'failed':
    case 'unattempted':
      return null;
  }
}
