// Exposes the used part of undici as a module, so that agent.ts can load it with the first request. In a
// bundle, only an `import` statement resolves the names of a CommonJS package.
export { Agent, request } from 'undici';
