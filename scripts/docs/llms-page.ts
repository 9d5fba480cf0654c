import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '../../docs')

const sections = [
  ['Guides', 'guide', ['getting-started.md']],
  ['Reference', 'reference', []],
  ['Optional', 'decisions', ['README.md']],
] as const

/**
 * The table of contents for programs that read documents, in the form of https://llmstxt.org: a title, a summary, and a
 * line for each page. Titles and sentences are those of the pages.
 */
export function renderLlmsPage(): string {
  const summary = firstSentence(readFileSync(join(docs, '../README.md'), 'utf8'))
  return [
    '# Signalbox',
    '',
    `> ${summary}`,
    '',
    'Every page is Markdown at the path that is linked here. The service describes its own API at `/openapi.json`.',
    '',
    ...sections.flatMap(([title, folder, first]) => [
      `## ${title}`,
      '',
      ...listPages(folder, first).map((path) => toLine(path)),
      ...(folder === 'reference'
        ? ['problems.md', 'vocabulary.md', 'ARCHITECTURE.md'].map(toLine)
        : []),
      '',
    ]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

/** The pages of a folder by name, with those that are read first at the top. */
function listPages(folder: string, first: readonly string[]): string[] {
  const names = readdirSync(join(docs, folder)).filter((name) => name.endsWith('.md'))
  const others = names.filter((name) => !first.includes(name)).sort()
  const shown = folder === 'decisions' ? first : [...first, ...others]
  return shown.map((name) => `${folder}/${name}`)
}

function toLine(path: string): string {
  const text = readFileSync(join(docs, path), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path
  return `- [${title}](${path}): ${firstSentence(text)}`
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
