import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { addressOf, hasTwin, listGuides, summaryOf } from './guide-pages.ts'
import { openDisclosures } from './render-markdown.ts'

const docs = join(import.meta.dirname, '../../docs')

/** Names the page that is read before all others. */
const first = 'guide/getting-started.md'

const about =
  'All pages in one file, each below a line with its path: [llms-full.txt](/llms-full.txt). The pages for people start at [/docs/guide](/docs/guide). This service describes its API at [/openapi.json](/openapi.json). Assistants use [/mcp](/docs/guide/assistants.md) and [/skill.md](/skill.md).'

/** Pages that are made of code: path in `docs/` -> text. */
type Reference = ReadonlyMap<string, string>

/** The text of every page of the contents, below a line with its path. */
export function renderEveryPage(reference: Reference): string {
  return Object.values(listSections(reference))
    .flat()
    .map((path) => {
      const text = reference.get(path) ?? readPage(path)
      return `<!-- ${posix.join('docs', path)} -->\n\n${openDisclosures(text).trim()}\n`
    })
    .join('\n')
}

/**
 * The table of contents for programs that read documents, in the form of https://llmstxt.org: a title, a summary, and a
 * line for each page. Titles are those of the pages.
 */
export function renderContentsForPrograms(reference: Reference): string {
  const summary = firstSentence(readPage('../README.md'))
  return [
    '# Signalbox',
    '',
    `> ${summary}`,
    '',
    about,
    '',
    ...Object.entries(listSections(reference)).flatMap(([title, pages]) => [
      `## ${title}`,
      '',
      ...pages.map((path) => toLine(path, reference.get(path) ?? readPage(path))),
      '',
    ]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

const readPage = (path: string) => readFileSync(join(docs, path), 'utf8')

/** Lists the pages of each section, by their paths from `docs/`. */
function listSections(reference: Reference): Readonly<Record<string, readonly string[]>> {
  return {
    Guides: [first, ...listGuides().filter((path) => path !== first)],
    Reference: [...reference.keys(), 'problems.md', 'vocabulary.md', 'ARCHITECTURE.md'],
    Optional: ['decisions/README.md'],
  }
}

function toLine(path: string, text: string): string {
  const link = hasTwin(path) ? `${addressOf(path)}.md` : '/llms-full.txt'
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path
  return `- [${title}](${link}): ${summaryOf(path)}`
}

/** The first sentence below the title, without markup. */
function firstSentence(text: string): string {
  const paragraphs = text
    .replaceAll(/<!--[\s\S]*?-->|```[\s\S]*?```/g, '')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll('\n', ' ').trim())
  const prose = paragraphs.find((paragraph) => /^[A-Za-z`*[]/.test(paragraph)) ?? ''
  const plain = prose.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('**', '')
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain
}
