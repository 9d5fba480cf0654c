import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { operationEndpoints as endpoints } from '@signalbox/contract/rest'
import type { RawAnswer } from '../http/endpoint-request.ts'
import { matchesEtag } from '../http/preconditions.ts'
import type { Router } from '../http/router.ts'

/** The documentation for programs that read it (https://llmstxt.org). Read from the package once, at the start. */
export function mountLlms(router: Router): void {
  const contents = readText('llms.txt')
  const pages = readText('llms-full.txt')
  router
    .addRaw(endpoints.readLlms, async ({ header }) => contents(header('if-none-match')))
    .addRaw(endpoints.readEveryPage, async ({ header }) => pages(header('if-none-match')))
}

function readText(name: string): (ifNoneMatch: string | undefined) => RawAnswer {
  const body = readFileSync(new URL(`../../assets/${name}`, import.meta.url))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-cache',
    ETag: etag,
  }
  return (ifNoneMatch) =>
    matchesEtag(ifNoneMatch, etag)
      ? { status: 304, headers, body: '' }
      : { status: 200, headers, body }
}
