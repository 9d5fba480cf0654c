import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import {
  documentationBar,
  escapeHtml,
  renderDocumentPage,
} from '../../packages/server/src/http/answers/document-page.ts'
import { importSchemaName } from './import-schema.ts'
import {
  openDisclosures,
  renderInline,
  renderMarkdown,
  rewriteLinks,
  type Heading,
  type LinkTo,
} from './render-markdown.ts'
import { listEndpointSections, toSections, toText } from './search-index.ts'
import { summaryOf } from './summaries.ts'

const root = join(import.meta.dirname, '../..')

/** Lists the pages beside each page: all of `docs/guide`, and those that a user of the product looks up. */
const groups: readonly (readonly [title: string, sources: readonly string[]])[] = [
  ['Start', ['guide/getting-started.md', 'guide/dashboard.md']],
  [
    'Configuration',
    [
      'guide/configuration.md',
      'guide/feature-flags.md',
      'guide/flags-in-every-language.md',
      'guide/import.md',
      'guide/configuration-file.md',
      'guide/clients.md',
      'guide/serverless.md',
      'guide/react.md',
      'guide/next.md',
      'guide/vite.md',
      'guide/tests.md',
      'guide/signatures.md',
      'guide/kubernetes.md',
      'guide/targets.md',
    ],
  ],
  [
    'Deployments',
    [
      'guide/integrations.md',
      'guide/gitlab.md',
      'guide/forgejo.md',
      'guide/linear.md',
      'guide/github-issues.md',
      'guide/gitlab-issues.md',
      'guide/forgejo-issues.md',
      'guide/discord.md',
      'guide/mattermost.md',
      'guide/ci.md',
    ],
  ],
  [
    'Run it',
    [
      'guide/cli.md',
      'guide/assistants.md',
      'guide/operations.md',
      'guide/audit-log.md',
      'reference/settings.md',
    ],
  ],
  ['Look up', ['vocabulary.md', 'reference/measurements.md', 'reference/growth.md']],
]

const sources = groups.flatMap(([, pages]) => pages)

/** Maps documents to pages that the service renders from other sources. */
const otherPages: Readonly<Record<string, string>> = {
  'problems.md': '/docs/problems',
  'reference/rest.md': '/docs',
  'reference/import-schema.md': `/docs/reference/${importSchemaName}`,
}

/** The address of a page that the service has of a file in `docs/`, without an ending. Example: `/docs/guide/clients`. */
export function addressOf(source: string): string | undefined {
  if (!sources.includes(source)) return otherPages[source]
  const name = posix.basename(source, '.md')
  return source.startsWith('guide/') ? `/docs/guide/${name}` : `/docs/reference/${name}`
}

/** Returns whether a page exists in Markdown too, at the same address with `.md`. */
export function hasTwin(source: string): boolean {
  return sources.includes(source)
}

/**
 * Renders the documentation as the service serves it: each page as HTML and as Markdown, the contents, the problems, and what
 * the search reads. `reference` holds the pages that are made of code, by their paths in `docs/`.
 */
export function renderGuidePages(reference: ReadonlyMap<string, string>): Map<string, string> {
  const guides = readdirSync(join(root, 'docs/guide')).filter((name) => name.endsWith('.md'))
  const unlisted = guides.filter((name) => !sources.includes(`guide/${name}`))
  if (unlisted.length > 0) throw new Error(`No group lists docs/guide/${unlisted.join(', ')}`)

  const textOf = (source: string) =>
    reference.get(source) ?? readFileSync(join(root, 'docs', source), 'utf8')
  const pages = sources.map((source) => toPage(source, textOf(source)))
  const files = new Map<string, string>()
  for (const page of pages) {
    files.set(`${page.address}.html`, renderPage(page, pages))
    files.set(`${page.address}.md`, page.markdown)
  }
  const problems = renderProblems(textOf('problems.md'))
  const bar = documentationBar('/docs/problems')
  return files
    .set('/docs/guide.html', renderContents(pages))
    .set(
      '/docs/problems.html',
      renderDocumentPage({ title: 'Signalbox problems', bar, content: problems }),
    )
    .set('/docs/reference/search-index.json', renderSearchIndex(pages, problems))
}

/** Renders the page of problems: each line that begins with bold text is a paragraph. */
function renderProblems(text: string): string {
  const apart = text.replaceAll('\n**', '\n\n**')
  return renderMarkdown(apart, linksOf('problems.md', '')).html
}

function renderSearchIndex(pages: readonly Page[], problems: string): string {
  const sections = [
    ...pages.flatMap(({ address, title, html }) => toSections(toText(title), address, html)),
    ...toSections('Problems', '/docs/problems', problems),
    ...listEndpointSections(),
  ]
  return `[\n${sections.map((section) => JSON.stringify(section)).join(',\n')}\n]\n`
}

interface Page {
  readonly source: string
  readonly address: string
  /** HTML. */
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly markdown: string
}

function toPage(source: string, text: string): Page {
  const { html, headings } = renderMarkdown(text, linksOf(source, ''))
  const markdown = openDisclosures(rewriteLinks(text, linksOf(source, '.md')))
  const title = headings.find(({ level }) => level === 1)?.title ?? source
  return { source, address: addressOf(source) ?? '', title, html, headings, markdown }
}

/**
 * The addresses of what a page links to; files of the repository that are not served keep their names only. What leads to a
 * section of the page about the reference leads to the page that the section is about.
 */
function linksOf(source: string, ending: '' | '.md'): LinkTo {
  return (link) => {
    const target = link.replace(/reference\/README\.md#([\w-]+)$/, 'reference/$1.md')
    if (target.startsWith('https:') || target.startsWith('#')) return target
    const [path = '', anchor] = target.split('#')
    const linked = posix.join(posix.dirname(source), path)
    const address = addressOf(linked)
    if (address === undefined) return undefined
    return `${address}${hasTwin(linked) ? ending : ''}${anchor === undefined ? '' : `#${anchor}`}`
  }
}

function renderPage(page: Page, pages: readonly Page[]): string {
  const { address, title, html } = page
  return renderDocumentPage({
    title: `${toPlain(title)}: Signalbox`,
    bar: documentationBar('/docs/guide'),
    side: renderSide(pages, page),
    content: `${html}
<p class="twin"><a href="${address}.md">This page as Markdown</a></p>`,
  })
}

/** All pages, and below the one that is open its sections. */
function renderSide(pages: readonly Page[], open: Page): string {
  const lists = groups.map(([title, listed]) => {
    const items = pages
      .filter(({ source }) => listed.includes(source))
      .map((page) => (page === open ? renderOpenItem(page) : renderItem(page)))
    return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
  })
  return lists.join('\n')
}

const renderItem = ({ address, title }: Page) => `<li><a href="${address}">${title}</a></li>`

function renderOpenItem({ address, title, headings }: Page): string {
  const sections = headings
    .filter(({ level }) => level === 2)
    .map((heading) => `<li><a href="#${escapeHtml(heading.id)}">${heading.title}</a></li>`)
  const list = sections.length === 0 ? '' : `\n<ul>\n${sections.join('\n')}\n</ul>`
  return `<li><a href="${address}" aria-current="page">${title}</a>${list}</li>`
}

function renderContents(pages: readonly Page[]): string {
  const lists = groups.map(([title, listed]) => {
    const items = pages
      .filter(({ source }) => listed.includes(source))
      .map(({ source, address, title: name }) => {
        const about = renderInline(summaryOf(source), () => undefined)
        return `<dt><a href="${address}">${name}</a></dt>\n<dd>${about}</dd>`
      })
    return `<h2>${title}</h2>\n<dl class="contents">\n${items.join('\n')}\n</dl>`
  })
  return renderDocumentPage({
    title: 'Signalbox documentation',
    bar: documentationBar('/docs/guide'),
    content: `<h1>Documentation</h1>
<p>Documentation for this version, served offline. For programs: <a href="/llms.txt">llms.txt</a>.</p>
${lists.join('\n')}`,
  })
}

/** HTML of a line without its markup, for a title. */
const toPlain = (html: string) => html.replaceAll(/<[^>]+>/g, '')
