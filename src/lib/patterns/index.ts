export { compileSafePattern, patternProblem } from './safe-pattern.js';
export { comparableLine, compileWildcard, type Wildcard, wildcardProblem } from './wildcard.js';
