import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { operationEndpoints as endpoints } from '@signalbox/contract/rest'
import { isOpenedByPerson, missingDocument } from '../http/answers/missing-page.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { RawAnswer } from '../http/input/endpoint-request.ts'
import type { Router } from '../http/router.ts'
import { pageHeaders } from '../http/answers/security-headers.ts'
import { answerTagged, tagAnswer, type TaggedAnswer } from '../http/answers/tagged-answer.ts'

const assets = new URL('../../assets/', import.meta.url)

/** Mounts the documentation for people: guide, reference, problems. Reads it from the package once, at the start. */
export function mountPages(router: Router): void {
  const contents = readPage('docs/guide.html')
  const problems = readPage('problems.html')
  const guide = readPages('docs/guide/')
  const reference = readPages('docs/reference/')
  router
    .addRaw(endpoints.readGuide, async ({ header }) =>
      answerTagged(contents, header('if-none-match')),
    )
    .addRaw(endpoints.readGuidePage, async ({ params, header }) =>
      answerPage(guide.get(params.name), header),
    )
    .addRaw(endpoints.readReferencePage, async ({ params, header }) =>
      answerPage(reference.get(params.name), header),
    )
    .addRaw(endpoints.readProblems, async ({ header }) =>
      answerTagged(problems, header('if-none-match')),
    )
}

/** Maps the names in addresses to pages: `clients` to the page, `clients.md` to its Markdown. */
type Pages = ReadonlyMap<string, TaggedAnswer>

function readPages(folder: string): Pages {
  const names = readdirSync(new URL(folder, assets))
  return new Map(names.map((name) => [name.replace(/\.html$/, ''), readPage(folder + name)]))
}

/** Holds the media types of what is no page. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.json': 'application/schema+json',
}

function readPage(name: string): TaggedAnswer {
  const type = mediaTypes[extname(name)]
  const headers = type === undefined ? {} : { 'Content-Type': type }
  return tagAnswer(readFileSync(new URL(name, assets)), { ...pageHeaders(), ...headers })
}

/** Answers with the page. A person gets a page that says that there is none, and a program the problem. */
function answerPage(
  page: TaggedAnswer | undefined,
  header: (name: string) => string | undefined,
): RawAnswer {
  if (page !== undefined) return answerTagged(page, header('if-none-match'))
  if (isOpenedByPerson('GET', header)) return missingDocument()
  throw notFound()
}
