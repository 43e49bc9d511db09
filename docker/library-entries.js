// Makes bundles import the file of a library that defines a name, instead of the library's entry. With an entry, esbuild would
// load the whole library into every program and thread that uses one of its names.
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

const ENTRY = /\/src\/lib\/[^/]+\/index\.ts$/;
const IMPORT = /import \{([^}]+)\} from '(\.[^']+\/index\.js)';/g;
const LAZY_IMPORT = /(const \{([^}]+)\} = await import\()'(\.[^']+\/index\.js)'\)/g;
const EXPORT = /export (?:type )?\{([^}]+)\} from '([^']+)'/g;

/** An esbuild plugin that replaces imports of entries in src/lib. Lines keep their numbers. */
export function libraryEntries() {
  const entries = new Map();

  /** The file that an entry exports each name from. */
  function filesOf(entry) {
    if (!entries.has(entry)) {
      const files = new Map();
      for (const [, names, file] of readFileSync(entry, 'utf8').matchAll(EXPORT)) {
        for (const { imported } of namesIn(names)) files.set(imported, resolve(dirname(entry), file));
      }
      entries.set(entry, files);
    }
    return entries.get(entry);
  }

  function importsByFile(importer, specifier, names) {
    const entry = resolve(dirname(importer), specifier).replace(/\.js$/, '.ts');
    if (!ENTRY.test(entry)) return null;
    const byFile = new Map();
    for (const { text, imported, isType } of namesIn(names)) {
      if (isType) continue;
      const file = filesOf(entry).get(imported);
      if (file === undefined)
        throw new Error(`${entry} does not export ${imported}, which ${importer} imports`);
      byFile.set(file, [...(byFile.get(file) ?? []), text]);
    }
    return byFile;
  }

  function throughFiles(importer, text) {
    const specifierOf = (file) => `./${relative(dirname(importer), file)}`;
    return text
      .replace(IMPORT, (statement, names, specifier) => {
        const byFile = importsByFile(importer, specifier, names);
        if (byFile === null) return statement;
        const imports = [...byFile].map(
          ([file, own]) => `import { ${own.join(', ')} } from '${specifierOf(file)}';`,
        );
        return imports.join(' ') + '\n'.repeat(statement.split('\n').length - 1);
      })
      .replace(LAZY_IMPORT, (expression, start, names, specifier) => {
        const byFile = importsByFile(importer, specifier, names);
        if (byFile === null) return expression;
        const [file, ...others] = byFile.keys();
        if (others.length > 0) throw new Error(`${importer}: one lazy import takes names of one file`);
        return `${start}'${specifierOf(file)}')`;
      });
  }

  return {
    name: 'library-entries',
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
        contents: throughFiles(path, readFileSync(path, 'utf8')),
        loader: 'ts',
      }));
    },
  };
}

function namesIn(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const isType = name.startsWith('type ');
      const text = isType ? name.slice('type '.length) : name;
      return { text, isType, imported: text.split(' as ')[0] };
    });
}
