import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { operationEndpoints as endpoints } from '@signalbox/contract/rest'
import type { RawAnswer } from '../http/endpoint-request.ts'
import { matchesEtag } from '../http/preconditions.ts'
import { notFound } from '../http/problem-response.ts'
import type { Router } from '../http/router.ts'
import { pageHeaders } from '../http/security-headers.ts'

const contentTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** Everything the pages load, by its name in the URL. A name that is not here is not looked for on the disk. */
const assetNames = ['page.css', 'page.js', 'setup.js', 'home.js', 'mark.svg'] as const

interface Asset {
  readonly body: Buffer
  readonly contentType: string
  readonly etag: string
}

function readFile(name: string): Buffer {
  return readFileSync(new URL(`../../assets/${name}`, import.meta.url))
}

function readAsset(name: (typeof assetNames)[number]): Asset {
  const body = readFile(name)
  const extension = name.split('.')[1]
  const contentType =
    extension === 'css' || extension === 'js' ? contentTypes[extension] : contentTypes.svg
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { body, contentType, etag }
}

function page(body: Buffer): RawAnswer {
  return { status: 200, headers: pageHeaders(), body }
}

/** The plain pages for people: signing in, setting the server up, and what each problem means. Read from the package once, at the start. */
export function mountPages(router: Router): void {
  const home = readFile('home.html')
  const setup = readFile('setup.html')
  const problems = readFile('problems.html')
  const assets = new Map<string, Asset>(assetNames.map((name) => [name, readAsset(name)]))

  router
    .addRaw(endpoints.readHomePage, async () => page(home))
    .addRaw(endpoints.readSetupPage, async () => page(setup))
    .addRaw(endpoints.readProblems, async () => page(problems))
    .addRaw(endpoints.readAsset, async ({ params, header }) => {
      const asset = assets.get(params.name)
      if (asset === undefined) throw notFound()
      const { body, contentType, etag } = asset
      const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-cache', ETag: etag }
      return matchesEtag(header('if-none-match'), etag)
        ? { status: 304, headers, body: '' }
        : { status: 200, headers, body }
    })
}
