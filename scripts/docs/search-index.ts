import { endpoints, type EndpointShape } from '@signalbox/contract/rest'

/** Holds a section of a page as the search of the documentation finds it. */
export interface SearchSection {
  /** Names the page. */
  readonly page: string
  /** Names the section; of the beginning of a page, the page. */
  readonly title: string
  readonly address: string
  readonly text: string
}

/** Cuts the HTML of a page into its sections, each with its address. */
export function toSections(page: string, address: string, html: string): SearchSection[] {
  return html
    .split(/(?=<h[1-3](?: id="[^"]*")?>)/)
    .map((part) => toSection(page, address, part))
    .filter(({ text }) => text !== '')
}

function toSection(page: string, address: string, part: string): SearchSection {
  const [heading, level = '1', id = '', title = page] =
    /^<h([1-3])(?: id="([^"]*)")?>([\s\S]*?)<\/h[1-3]>/.exec(part) ?? []
  const isWhole = level === '1' || id === ''
  return {
    page,
    title: toText(title),
    address: isWhole ? address : `${address}#${toText(id)}`,
    text: toText(part.slice(heading?.length ?? 0)),
  }
}

/** Returns the endpoints as sections of the API reference. */
export function listEndpointSections(): SearchSection[] {
  const all: readonly EndpointShape[] = Object.values(endpoints)
  return all.map(({ operationId, method, path, summary }) => ({
    page: 'API reference',
    title: `${method} ${path}`,
    address: `/docs#${operationId}`,
    text: `${summary} ${operationId}`,
  }))
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** Returns the text of HTML in one line. */
export function toText(html: string): string {
  return html
    .replaceAll(/<\/(?:p|li|td|th|pre|summary|h\d)>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
