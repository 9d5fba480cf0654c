import { build } from 'esbuild'
import { rolldown } from 'rolldown'

/**
 * Bundles `code` for a browser, minified, as an app that imports our packages from npm does. What is `external` the app
 * has anyway.
 */
export async function bundleForBrowser(
  code: string,
  external: readonly string[] = [],
): Promise<string> {
  const entry = 'entry.js'
  const build = await rolldown({
    input: entry,
    external: [...external],
    platform: 'browser',
    cwd: import.meta.dirname,
    resolve: { conditionNames: ['@signalbox/source', 'browser', 'import', 'default'] },
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? `${import.meta.dirname}/${entry}` : undefined),
        load: (id) => (id.endsWith(entry) ? code : undefined),
      },
    ],
  })
  try {
    const { output } = await build.generate({ format: 'esm', minify: true })
    if (output.length > 1) throw new Error('The client came in more than one file')
    return output[0].code
  } finally {
    await build.close()
  }
}

/** Makes esbuild write one minified module for browsers, and return it. */
export const minified = {
  platform: 'browser',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'esnext',
  write: false,
  logLevel: 'silent',
} as const

/** Does the same as `bundleForBrowser` with esbuild, which Vite 7 and others minify with. */
export async function bundleWithEsbuild(
  code: string,
  external: readonly string[] = [],
  conditions: readonly string[] = [],
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    external: [...external],
    conditions: ['@signalbox/source', ...conditions],
    ...minified,
  })
  const [output, ...others] = outputFiles
  if (output === undefined || others.length > 0) throw new Error('The client is no single file')
  return output.text
}

/** Lists the bundlers whose users have the budgets. */
export const bundlers = [
  { name: 'rolldown', bundle: bundleForBrowser },
  { name: 'esbuild', bundle: bundleWithEsbuild },
] as const
