// How the dashboard is built, and served while one works on it: `npm run dev -w @mailkeel/dashboard` asks the appliance at MAILKEEL_URL.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const appliance = process.env.MAILKEEL_URL ?? 'http://127.0.0.1:8080';
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// ESLint and Vite want a default export here.
export default defineConfig({
  root: at('.'),
  plugins: [react()],
  resolve: {
    alias: {
      // Sources: neither package need be built first.
      '@mailkeel/sdk': at('../sdk/src/index.ts'),
      '@mailkeel/cli/operations': at('../cli/src/operations.ts'),
    },
  },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    target: 'es2022',
    // The policy of the page forbids data: for scripts, and small files cost little over one connection.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Sizes are held by test/system/budget.test.ts.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { external: ['@react-email/render'] },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/setup', '/docs', '/device', '/openapi.json', '/sdk.tgz', '/cli.tgz'].map((path) => [
        path,
        appliance,
      ]),
    ),
  },
});
