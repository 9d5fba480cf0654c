import type { SecretPatterns } from '@signalbox/config/leak-scan'
import {
  loadEnv,
  type Plugin,
  type ResolvedConfig,
  type HtmlTagDescriptor,
  type IndexHtmlTransformResult,
} from 'vite'
import { findSecrets } from './find-secrets.ts'
import { filesOfBundle, filesOfFolder, findLeaks, toSecretPatterns } from './leak-check.ts'
import type { SignalboxOptions } from './options.ts'
import { resolvePageSource, type PageSource } from './page-source.ts'
import { reportLeaks } from './report-leaks.ts'
import { snapshotUrl } from '@signalbox/config/page'

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

const patienceMs = 2_000

/**
 * Returns a warning where the server has no such configuration, because the page would then show its defaults forever.
 * Returns nothing where the server can't be asked: a build does without it.
 */
async function checkSource(source: PageSource): Promise<string | undefined> {
  const { baseUrl, orgId, environment, schema } = source
  const signal = AbortSignal.timeout(patienceMs)
  const response = await fetch(snapshotUrl(source), { signal }).catch(() => undefined)
  if (response?.status !== 404) return undefined
  const names = `${schema === undefined ? '' : `schema ${schema}, `}environment ${environment}, organization ${orgId}`
  return `signalbox: ${baseUrl} has no ${names}, or the key of the page belongs to another organization. If the schema is new, run "signalbox push". Until then the page shows its defaults.`
}

/** Names the virtual module that passes the source of the page to the providers. */
const pageSourceModule = 'virtual:signalbox'

/** Returns the tags to add to the head of a page. */
function renderTags(
  source: PageSource,
  { preload = 'link', inject = 'runtime' }: SignalboxOptions,
): HtmlTagDescriptor[] {
  const meta: HtmlTagDescriptor = {
    tag: 'meta',
    attrs: { name: 'signalbox-config', content: JSON.stringify(source) },
    injectTo: 'head-prepend',
  }
  const link: HtmlTagDescriptor = {
    tag: 'link',
    attrs: { rel: 'preload', as: 'fetch', crossorigin: true, href: snapshotUrl(source) },
    injectTo: 'head-prepend',
  }
  const script: HtmlTagDescriptor = { tag: 'script', children: writeLink, injectTo: 'head-prepend' }
  const set: HtmlTagDescriptor = {
    tag: 'script',
    attrs: { type: 'module' },
    children: `import '${pageSourceModule}'`,
    injectTo: 'head-prepend',
  }
  const early = { link: [link], inline: [script], none: [] }[preload === false ? 'none' : preload]
  // The inline script reads the page.
  const isRead = inject === 'runtime' || preload === 'inline'
  return [...(isRead ? [meta] : []), ...early, set]
}

const charset = /<meta\s+charset=["']?([\w-]+)["']?\s*\/?>\s*/i

/**
 * Puts the tags at the beginning of the head, after the encoding of the page, which browsers look for in its first
 * 1,024 bytes.
 */
function insertTags(html: string, tags: HtmlTagDescriptor[]): IndexHtmlTransformResult {
  const [written, encoding] = charset.exec(html) ?? []
  if (written === undefined || encoding === undefined) return tags
  const first: HtmlTagDescriptor = {
    tag: 'meta',
    attrs: { charset: encoding },
    injectTo: 'head-prepend',
  }
  return { html: html.replace(written, ''), tags: [first, ...tags] }
}

const readMeta = 'JSON.parse(document.querySelector("meta[name=signalbox-config]").content)'

/** Builds the same address as `snapshotUrl`. */
const writeLink = `{const p=${readMeta},l=document.createElement("link");l.rel="preload";l.as="fetch";l.crossOrigin="";l.href=p.baseUrl.replace(/\\/$/,"")+"/organizations/"+p.orgId+"/config/snapshot?environment="+p.environment+"&schema="+(p.schema||"")+"&apiKey="+p.apiKey;document.head.append(l)}`

/** Returns the code of `pageSourceModule`. */
function renderPageSourceModule(
  source: PageSource,
  { inject = 'runtime' }: SignalboxOptions,
): string {
  return `globalThis.signalbox = ${inject === 'build' ? JSON.stringify(source) : readMeta}`
}
