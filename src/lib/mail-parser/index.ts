export { contentByPackage, parseMail } from './mime-parse.js';
