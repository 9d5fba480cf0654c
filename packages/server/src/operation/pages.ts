import { fileURLToPath } from 'node:url'
import { operationEndpoints as endpoints } from '@signalbox/contract/rest'
import { openFiles } from '../http/answers/files.ts'
import { isOpenedByPerson, missingDocument, notBuilt } from '../http/answers/missing-page.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { RawAnswer } from '../http/input/endpoint-request.ts'
import type { Router } from '../http/router.ts'
import { pageHeaders } from '../http/answers/security-headers.ts'
import { answerTagged } from '../http/answers/tagged-answer.ts'

/** Where `npm run build` renders the documentation to. */
const built = fileURLToPath(new URL('../../dist/pages/', import.meta.url))

/** Mounts the documentation: for people as pages, for programs as Markdown and as one text (https://llmstxt.org). */
export function mountPages(router: Router, folder = built): void {
  const files = openFiles(folder)
  const answer = (address: string, header: Header): RawAnswer => {
    const name = /\.(?:md|txt|json)$/.test(address) ? address : `${address}.html`
    const file = files.read(name.slice(1), undefined)
    if (file !== undefined) {
      return answerTagged(
        { ...file, headers: { ...pageHeaders(), ...file.headers } },
        header('if-none-match'),
      )
    }
    if (files.read('llms.txt', undefined) === undefined) return notBuilt('documentation')
    if (isOpenedByPerson('GET', header)) return missingDocument()
    throw notFound()
  }
  const at = ({ path }: { readonly path: string }) => {
    return async ({ header }: { readonly header: Header }) => answer(path, header)
  }
  router
    .addRaw(endpoints.readGuide, at(endpoints.readGuide))
    .addRaw(endpoints.readProblems, at(endpoints.readProblems))
    .addRaw(endpoints.readLlms, at(endpoints.readLlms))
    .addRaw(endpoints.readEveryPage, at(endpoints.readEveryPage))
    .addRaw(endpoints.readSkill, at(endpoints.readSkill))
    .addRaw(endpoints.readFileSchema, at(endpoints.readFileSchema))
    .addRaw(endpoints.readGuidePage, async ({ params, header }) =>
      answer(`/docs/guide/${params.name}`, header),
    )
    .addRaw(endpoints.readReferencePage, async ({ params, header }) =>
      answer(`/docs/reference/${params.name}`, header),
    )
}

type Header = (name: string) => string | undefined
