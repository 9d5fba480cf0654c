import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import {
  documentationBar,
  escapeHtml,
  renderDocumentPage,
} from '../../packages/server/src/http/answers/document-page.ts'
import { importSchemaName } from './import-schema.ts'
import { providerGuides } from './provider-guides.ts'
import {
  openDisclosures,
  renderInline,
  renderMarkdown,
  rewriteLinks,
  type Heading,
  type LinkTo,
} from './render-markdown.ts'
import { listEndpointSections, toSections, toText } from './search-index.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Lists the pages beside each page, all of `docs/guide`, those in the folders of providers and those that a user of the product
 * looks up, each with the sentence that tells a reader whether it is the right one.
 */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: {
    'guide/getting-started.md':
      'Install the server, declare keys, and read a flag in an application, in five minutes.',
    'guide/dashboard.md':
      'The set-up, people and roles, signing in, the timeline, the keyboard, and what the browser stores.',
  },
  Configuration: {
    'guide/configuration.md':
      'Keys, types and secrets; environments that inherit and are protected; editing, reviewing, restoring and promoting values.',
    'guide/feature-flags.md':
      'Rules and percentage rollouts, how Node decides without a request, and OpenFeature in every language.',
    'guide/change-requests.md':
      'Changes that wait until other people approve them: ask, review, apply, schedule, conflicts and emergencies.',
    'guide/proofs.md':
      'Changes that are watched once they are live, by tests, alerts, queries and pages, and taken back when these turn bad.',
    'guide/flags-in-every-language.md':
      'Which way for which language: the address, the key and the code for Java, Go, .NET, Python, Ruby, PHP, Rust and Kotlin.',
    'guide/flags-in-traces.md':
      'The flags that a request has read in its OpenTelemetry trace, each with the version that last changed it.',
    'guide/import.md':
      'Bring flags from LaunchDarkly, PostHog and seven other products, with a plan first and the same users in each rollout.',
    'guide/configuration-file.md':
      'Environments, mappings, routes and webhooks as a file: plan, apply, drift, pipelines and Terraform.',
    'guide/clients.md':
      'Read values in Node, in browsers and over HTTP: types, errors, and the behavior without the server.',
    'guide/serverless.md':
      'Workers, functions, Deno and Bun: which build they get, a process for each request, and every option of the client.',
    'guide/react.md':
      'A provider and hooks with values in the first render, live updates and types.',
    'guide/next.md':
      'Configuration in server components, live hooks, and pages that Next.js renders again after a change.',
    'guide/vite.md':
      'Preload the configuration in the head of the page, and stop a build that would leak a secret.',
    'guide/tests.md':
      'Values for unit tests, components and pages, with Vitest, Jest and Playwright, without a server.',
    'guide/signatures.md':
      'Tell whether anything between Signalbox and an application has changed a snapshot, and put a CDN or nginx in front.',
    'guide/kubernetes.md':
      'Values in a cluster: Secrets and ConfigMaps, External Secrets Operator, and pods without a stored key.',
    'guide/targets.md':
      'Write the values of an environment to GitHub Actions secrets and variables, or to a project on Vercel.',
  },
  Deployments: {
    'guide/integrations.md':
      'Connect a code host, an issue tracker and a chat; map environments, run tests after a deployment, and route messages.',
    ...Object.fromEntries(providerGuides.map(({ source, summary }) => [source, summary])),
    'guide/ci.md':
      'Check the definition in every pull request with the GitHub Action, and push it from main.',
    'guide/pull-requests.md':
      'The check beside a commit that says which values its environments lack, in GitHub, GitLab and Forgejo.',
    'guide/gates.md':
      'Deployments that wait for values, tests, time or people: rules, freezes, approvals, and the step in a pipeline.',
    'guide/previews.md':
      'Environments that live as long as a pull request: which secrets they inherit, their keys, and how they end.',
  },
  'Run it': {
    'guide/cli.md':
      'Every command of `signalbox`: sign in, push, set, check, run programs with values, and use it in pipelines.',
    'guide/access.md':
      'Groups, and grants in some environments and schemas: who writes staging, who reads the secrets of production, and why.',
    'guide/assistants.md':
      'Connect a coding assistant: its token, its tools, and what it cannot see or change.',
    'guide/policies.md':
      'What an organization requires of its members: a second factor, tokens that end, idle sessions, and listed assistants.',
    'guide/operations.md':
      'Run the server: PostgreSQL, several nodes, the root key, backups, single sign-on, monitoring, limits and upgrades.',
    'guide/single-sign-on.md':
      'Verify an e-mail domain, and let Microsoft Entra ID or Okta add and remove people over SCIM; SAML by a broker.',
    'guide/audit-log.md':
      'Send every audit event to the OpenTelemetry Collector, Loki, Splunk or standard output, and see what is missing there.',
    'reference/settings.md':
      'Every environment variable of the server, with its default; rate limits and capacities.',
  },
  'Look up': {
    'vocabulary.md': 'The meaning of each word in the code, the API and the documents.',
    'reference/measurements.md':
      'Measured speeds and sizes, with the machine and the target of each.',
    'reference/beside-others.md':
      'Signalbox beside LaunchDarkly, Unleash, GrowthBook, Flagsmith, ConfigCat, Flipt and flagd: in a process, in a browser, on a server, with what it loses.',
    'reference/growth.md':
      'Times, memory and starts of a server that grows, and what old rows cost.',
  },
}

/** Maps each further document to the sentence that tells a reader whether it is the right one. */
const further: Readonly<Record<string, string>> = {
  'reference/rest.md': 'Every endpoint, with the role or key that it needs and its own problems.',
  'problems.md': 'Every problem code of the API, with its cause and what to do.',
  'ARCHITECTURE.md': 'The architecture: processes, data, and the path of a write and of a webhook.',
  'decisions/README.md': 'The decision records: the reasons behind the architecture.',
}

const summaries: Readonly<Record<string, string>> = Object.assign(
  {},
  further,
  ...Object.values(groups),
)
const sources = Object.values(groups).flatMap(Object.keys)

/** Lists the guides by the names of their pages, by their paths from `docs/`. */
export function listGuides(): string[] {
  return sources
    .filter((source) => addressOf(source)?.startsWith('/docs/guide/'))
    .toSorted((one, other) => ((addressOf(one) ?? '') < (addressOf(other) ?? '') ? -1 : 1))
}

/** Returns the sentence about a page, by its path in `docs/`. @throws where nobody has written one. */
export function summaryOf(source: string): string {
  const summary = summaries[source]
  if (summary === undefined)
    throw new Error(`scripts/docs/guide-pages.ts has no sentence about ${source}`)
  return summary
}

/** Maps documents to pages that the service renders from other sources. */
const otherPages: Readonly<Record<string, string>> = {
  'problems.md': '/docs/problems',
  'reference/rest.md': '/docs',
  'reference/import-schema.md': `/docs/reference/${importSchemaName}`,
}

/** The address of a page that the service has of a file, by its path from `docs/`, without an ending. Example: `/docs/guide/clients`. */
export function addressOf(source: string): string | undefined {
  if (!sources.includes(source)) return otherPages[source]
  const provider = providerGuides.find((guide) => guide.source === source)
  const name = provider?.name ?? posix.basename(source, '.md')
  const isGuide = provider !== undefined || source.startsWith('guide/')
  return `/docs/${isGuide ? 'guide' : 'reference'}/${name}`
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
    const linked = posix.relative('docs', posix.join('docs', posix.dirname(source), path))
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
  const lists = Object.entries(groups).map(([title, listed]) => {
    const items = pages
      .filter(({ source }) => source in listed)
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
  const lists = Object.entries(groups).map(([title, listed]) => {
    const items = pages
      .filter(({ source }) => source in listed)
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
