import { runnerImport, type Plugin } from 'vite'

/**
 * Replaces a module by what it exports, evaluated when the dashboard is built: constants that are made of much more than
 * themselves. All of its exports have to be JSON.
 */
export function evaluateAtBuild(path: string): Plugin {
  return {
    name: 'evaluate-at-build',
    apply: 'build',
    load: async (id) => {
      if (id !== path) return undefined
      const { module } = await runnerImport<Readonly<Record<string, unknown>>>(path, {
        resolve: { conditions: ['@signalbox/source'], noExternal: [/^@signalbox\//] },
      })
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}
