import { snapshotUrl } from '@signalbox/config/page'
import type { HtmlTagDescriptor, IndexHtmlTransformResult } from 'vite'
import type { SignalboxOptions } from './options.ts'
import type { PageSource } from './page-source.ts'

/** Names the virtual module that passes the source of the page to the providers. */
export const pageSourceModule = 'virtual:signalbox'

/** Returns the tags to add to the head of a page. */
export function renderTags(
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
export function insertTags(html: string, tags: HtmlTagDescriptor[]): IndexHtmlTransformResult {
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
export function renderPageSourceModule(
  source: PageSource,
  { inject = 'runtime' }: SignalboxOptions,
): string {
  return `globalThis.signalbox = ${inject === 'build' ? JSON.stringify(source) : readMeta}`
}
