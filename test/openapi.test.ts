import { endpoints, type EndpointShape } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as RouterModule from '../packages/server/src/http/router.ts'
import { openService, type OpenService } from './testing/open-service.ts'

const routers = vi.hoisted(() => [] as RouterModule.Router[])

// The running application tells nobody which routes it has, so its router is noted as it is made.
vi.mock(import('../packages/server/src/http/router.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    createRouter: (deps) => {
      const router = original.createRouter(deps)
      routers.push(router)
      return router
    },
  }
})

let service: OpenService
let documented: { readonly method: string; readonly path: string }[]

beforeAll(async () => {
  service = await openService()
  const answer = await fetch(`${service.apiUrl}/openapi.json`)
  const { paths }: { readonly paths: Record<string, object> } = JSON.parse(await answer.text())
  documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )
})
afterAll(() => service?.remove())

const name = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path}`
const declared: readonly EndpointShape[] = Object.values(endpoints)
const isDelivered = ({ listener }: EndpointShape) => listener === 'delivery'

/** Places where only some words stand for anything. */
const words: Readonly<Record<string, string>> = {
  version: '1',
  kind: 'codehost',
  provider: 'github',
}

/** A path with something in each place, that belongs to nobody. */
function fill(path: string): string {
  // Webhooks of a connection come from providers that have a secret for each.
  if (path.startsWith('/webhooks/{provider}/')) return '/webhooks/gitlab/none'
  return path.replaceAll(/\{(\w+)\}/g, (_, place: string) => words[place] ?? 'none')
}

/** Returns whether a request to `path` also matches the declared path `other`. Example: `/a/b` matches `/a/{name}`. */
function isAlso(path: string, other: string): boolean {
  const places = other.split('/')
  const parts = fill(path).split('/')
  return (
    parts.length === places.length &&
    places.every((place, i) => place.startsWith('{') || place === parts[i])
  )
}

/** Returns whether a path is served, judged without a sign-in: 404 and 405 mean that there is no such route. */
async function isServed(base: string, method: string, path: string): Promise<boolean> {
  const answer = await fetch(`${base}${fill(path)}`, { method, redirect: 'manual' })
  await answer.body?.cancel()
  return answer.status !== 404 && answer.status !== 405
}

describe('/openapi.json', () => {
  it('describes every route of the API, and none that is not there', () => {
    const live = routers.flatMap((router) => router.endpoints.map(name))
    const delivered = declared.filter(isDelivered).map(name)
    expect(documented.map(name).toSorted()).toEqual([...live, ...delivered].toSorted())
  })

  it('describes routes that answer', async () => {
    const missing: string[] = []
    for (const { method, path } of documented) {
      // Routes of assets and pages answer 404 for an unknown name.
      if (/\/\{(?:name|page)\}$/.test(path)) continue
      if (!(await isServed(service.apiUrl, method, path))) missing.push(name({ method, path }))
    }
    expect(missing).toEqual([])
  })

  it('describes what the delivery serves, at its own address, and nothing else is there', async () => {
    const open = new Set(['GET /healthz', 'GET /readyz', 'GET /metrics'])
    const wrong: string[] = []
    for (const endpoint of declared.filter((each) => !open.has(name(each)))) {
      const served = await isServed(service.configUrl, endpoint.method, endpoint.path)
      if (served !== isDelivered(endpoint)) wrong.push(name(endpoint))
    }
    expect(wrong).toEqual([])
  })

  it('describes every method that a path has', async () => {
    const wrong: string[] = []
    for (const path of new Set(documented.map((each) => each.path))) {
      const methods = documented
        .filter((each) => isAlso(path, each.path))
        .map(({ method }) => method)
      const answer = await fetch(`${service.apiUrl}${fill(path)}`, { method: 'OPTIONS' })
      await answer.body?.cancel()
      const allowed = (answer.headers.get('allow') ?? '').split(', ')
      const surplus = allowed.filter(
        (method) => method !== '' && !['HEAD', 'OPTIONS', ...methods].includes(method),
      )
      if (surplus.length > 0) wrong.push(`${path}: ${surplus.join()}`)
    }
    expect(wrong).toEqual([])
  })

  it('control: a route that is not in the document is noticed', async () => {
    expect(await isServed(service.apiUrl, 'GET', '/organizations/{org_id}/nothing')).toBe(false)
    expect(await isServed(service.apiUrl, 'PATCH', '/healthz')).toBe(false)
    expect(await isServed(service.configUrl, 'GET', '/organizations')).toBe(false)
  })
})
