// The used part of undici as a module of its own: it is loaded with the first request (agent.ts), and a bundle gives the names of a
// CommonJS package to an `import` statement alone.
export { Agent, request } from 'undici';
