import type { SecretPatterns } from '@signalbox/config/leak-scan'
import { loadEnv, type Plugin, type ResolvedConfig } from 'vite'
import { checkSource } from './check-source.ts'
import { findSecrets } from './find-secrets.ts'
import { insertTags, pageSourceModule, renderPageSourceModule, renderTags } from './html-tags.ts'
import { filesOfBundle, filesOfFolder, findLeaks, toSecretPatterns } from './leak-check.ts'
import type { SignalboxOptions } from './options.ts'
import { resolvePageSource, type PageSource } from './page-source.ts'
import { reportLeaks } from './report-leaks.ts'

export type { SignalboxOptions } from './options.ts'

/**
 * Passes the source of the configuration to the providers of a page, makes the browser request it before any script
 * has loaded, and searches the build for secrets.
 *
 * @example
 * ```ts
 * import { signalbox } from '@signalbox/vite'
 * import { defineConfig } from 'vite'
 *
 * export default defineConfig({ plugins: [signalbox({ environment: 'production' })] })
 * ```
 *
 * @throws {Error} for a missing option, and for a key that is not a browser key.
 */
export function signalbox(options: SignalboxOptions): Plugin {
  let config: ResolvedConfig
  let source: PageSource
  let env: Record<string, string>
  const resolved = `\0${pageSourceModule}`
  return {
    name: 'signalbox',
    configResolved(resolvedConfig) {
      config = resolvedConfig
      // Reads the variables of the process too. The empty prefix includes those that Vite does not publish.
      env = loadEnv(config.mode, config.envDir === false ? config.root : config.envDir, '')
      source = resolvePageSource(options, env, config.root)
    },
    async buildStart() {
      if (this.environment.config.consumer !== 'client') return
      const warning = await checkSource(source)
      if (warning !== undefined) this.warn(warning)
    },
    resolveId: {
      filter: { id: new RegExp(`^${pageSourceModule}$`) },
      handler: () => resolved,
    },
    load: {
      filter: { id: new RegExp(`^${resolved}$`) },
      handler: () => renderPageSourceModule(source, options),
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => insertTags(html, renderTags(source, options)),
    },
    generateBundle: {
      // Runs after the pages are in the bundle.
      order: 'post',
      async handler(_output, bundle) {
        const { leakCheck, definition, fingerprints } = options
        // A bundle for a server may contain secrets.
        if (leakCheck === false || this.environment.config.consumer !== 'client') return
        const secrets = await findSecrets({ root: config.root, definition, env, source })
        const known = toSecretPatterns(secrets)
        const patterns: SecretPatterns[] = [
          known,
          ...(fingerprints === undefined ? [] : [{ values: fingerprints }]),
        ]
        const files = [
          ...filesOfBundle(bundle),
          ...(config.publicDir === '' || !config.build.copyPublicDir
            ? []
            : filesOfFolder(config.publicDir)),
        ]
        const search = {
          secrets,
          files: files.length,
          tooPlain: known.values.tooPlain,
          hasValues: patterns.some(({ values }) => (values?.fingerprints.length ?? 0) > 0),
          leaks: findLeaks(files, patterns),
        }
        reportLeaks(this, search, leakCheck)
      },
    },
  }
}
