export {
  MAX_SUBSTITUTION_WORK,
  type Parts,
  substitute,
  type Substituted,
  type Substitution,
  type SubstitutionBounds,
  type SubstitutionExcess,
  type Values,
} from './substitution.js';
export { type Filling, MARK, MARK_START } from './template-filling.js';
export { oneLine, OUTPUT_LIMITS, type Variables } from './template-output.js';
export { MAX_TEMPLATE_CHARACTERS, type TemplateProblem } from './template-scan.js';
export { variablesProblem } from './template-values.js';
export { createTemplates, templateProblem, templateVariables } from './template.js';
