export { acceptedLanguage } from './accept-language.rules.js';
export { GERMAN } from './german.js';
export { createTranslator, type Translate } from './translate.js';
