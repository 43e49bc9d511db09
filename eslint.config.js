import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const clockAndChance = [
  { object: 'Date', property: 'now', message: 'Take the time as an argument.' },
  { object: 'Math', property: 'random', message: 'Take randomness as an argument.' },
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'dist-bench',
      '.bench',
      'data',
      'coverage',
      'docs',
      'clients/*/dist',
      // Generated from the document, and in step with it by a test.
      'clients/sdk/src/openapi.ts',
      'clients/sdk/src/schemas.ts',
      'clients/cli/src/operations.ts',
      // Its types are generated when test/http/generated-client.test.ts checks it.
      'test/client',
      '**/*.js',
      '**/*.mjs',
      '**/*.cjs',
      '!eslint.config.js',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only runtime/config reads the environment.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'TSEnumDeclaration', message: 'Literal unions, not enums.' },
      ],
      // A sixth of the time of all rules, for enums that are not here and classes that are few.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'no-control-regex': 'off',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/contract/**', 'src/mail/**', 'src/rules/**'],
    rules: {
      'no-restricted-properties': ['error', ...clockAndChance, { object: 'process', property: 'env' }],
      'no-restricted-globals': ['error', 'fetch', 'process', 'setTimeout', 'setInterval', 'setImmediate'],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Take the time as an argument.',
        },
      ],
    },
  },
  {
    files: ['src/store/migrations/**', 'test/**', 'clients/*/test/**'],
    rules: { 'max-lines': 'off' },
  },
  {
    // Answers of the program under test are looked at as they come.
    files: ['test/**', 'clients/*/test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    // The vendors' clients document literals for what they type as classes.
    files: ['test/http/compat/**'],
    rules: { '@typescript-eslint/no-misused-spread': 'off' },
  },
  {
    files: [
      'test/**',
      'clients/*/test/**',
      'examples/**',
      '*.config.ts',
      'src/runtime/config/**',
      'clients/cli/src/main.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['*.config.ts', 'eslint.config.js'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['clients/dashboard/**/*.{ts,tsx}'], ...reactHooks.configs.flat.recommended },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
);
