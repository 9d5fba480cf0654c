import { describeLeak, type SecretPatterns } from '@signalbox/config/leak-scan'
import { loadEnv, type Plugin, type ResolvedConfig } from 'vite'
import { findSecrets } from './find-secrets.ts'
import { pageSourceModule, renderPageSourceModule, renderTags } from './html-tags.ts'
import { filesOfBundle, filesOfFolder, findLeaks, toSecretPatterns } from './leak-check.ts'
import type { SignalboxOptions } from './options.ts'
import { resolvePageSource, type PageSource } from './page-source.ts'

export type { SignalboxOptions } from './options.ts'

/**
 * Passes the source of the configuration to the providers of a page, makes the browser request it before any script
 * has loaded, and searches the build for secrets.
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
    resolveId: {
      filter: { id: new RegExp(`^${pageSourceModule}$`) },
      handler: () => resolved,
    },
    load: {
      filter: { id: new RegExp(`^${resolved}$`) },
      handler: () => renderPageSourceModule(source, options),
    },
    transformIndexHtml: { order: 'pre', handler: () => renderTags(source, options) },
    generateBundle: {
      // Runs after the pages are in the bundle.
      order: 'post',
      async handler(_output, bundle) {
        const { leakCheck = 'error', definition, fingerprints } = options
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
        const leaks = findLeaks(files, patterns).map(describeLeak)
        if (secrets.missing !== undefined) {
          this.warn(`Secrets were looked for without those of the server: ${secrets.missing}.`)
        }
        if (known.values.tooPlain.length > 0) {
          this.warn(
            `Too plain to be looked for: the values of ${known.values.tooPlain.join(', ')}.`,
          )
        }
        const counted = `${secrets.names.length} names and ${Object.keys(secrets.values).length} values`
        this.info(`Looked for ${counted} of secrets in ${files.length} files.`)
        if (leaks.length === 0) return
        const message = `Secrets are in the build:\n${leaks.map((leak) => `  ${leak}`).join('\n')}`
        if (leakCheck === 'warn') this.warn(message)
        else this.error(message)
      },
    },
  }
}
