import {
  openStream,
  type OpenedStream,
} from '../../../packages/server/src/delivery/testing/http-client.ts'
import { bearer, type Answer, type Ask, type Client } from '../http.ts'

/** Holds the resources that a browser key can name. */
export interface BrowserFixture {
  readonly orgId: string
  readonly slug: string
  readonly schemaId: string
  readonly schema: string
  readonly environments: readonly { readonly id: string; readonly name: string }[]
  readonly browserKey: string
  readonly openKeys: readonly string[]
  readonly secretKeys: readonly string[]
}

/** Every request that a browser key can get something out of, and many that it cannot. */
export function browserRequests(place: BrowserFixture): Ask[] {
  const { orgId, slug, schemaId, schema, environments, browserKey } = place
  const headers = bearer(browserKey)
  const get = (path: string, more: Record<string, string> = {}): Ask => ({
    method: 'GET',
    path,
    headers: { ...headers, ...more },
  })
  const shared = [
    get('/me'),
    get('/organizations'),
    get(`/organizations/${orgId}`),
    get(`/organizations/${orgId}/environments`),
    get(`/organizations/${orgId}/config-schemas`),
    get(`/organizations/${orgId}/config-schemas/${schemaId}`),
    get(`/organizations/${orgId}/config-schemas/${schemaId}/report`),
    get(`/organizations/${orgId}/audit-events`),
    get(`/organizations/${orgId}/api-keys`),
  ]
  const perEnvironment = environments.flatMap(({ id, name }) => {
    const snapshot = `/snapshots/${schemaId}/${id}`
    const named = `environment=${name}&schema=${schema}`
    const values = `/organizations/${slug}/config/values`
    const pair = `schemaId=${schemaId}&environmentId=${id}`
    const evaluate = (key: string): Ask => ({
      method: 'POST',
      path: `/organizations/${orgId}/config/feature-flags/${key}/evaluate`,
      headers,
      json: { environment: name, schema },
    })
    return [
      get(snapshot),
      { ...get(snapshot), method: 'HEAD' },
      { method: 'GET', path: `${snapshot}?apiKey=${browserKey}` },
      get(snapshot, { 'accept-encoding': 'br' }),
      get(snapshot, { 'accept-encoding': 'gzip' }),
      get(snapshot, { 'if-none-match': '"nothing"', origin: 'https://app.example.com' }),
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((version) => get(`${snapshot}/${version}`)),
      get(`${values}?${named}`),
      get(`${values}?environment=${id}&schema=${schemaId}`),
      get(`${values}?environment=${name}`),
      get(`/organizations/${slug}/config/snapshot?${named}`),
      ...[...place.openKeys, ...place.secretKeys, 'absent'].flatMap((key) => [
        get(`${values}/${key}?${named}`),
        evaluate(key),
      ]),
      get(`/organizations/${orgId}/config-values?${pair}`),
      get(`/organizations/${orgId}/config-values?${pair}&reveal=true`),
      get(`/organizations/${orgId}/config-versions?${pair}`),
    ]
  })
  return [...shared, ...perEnvironment]
}

const differing = new Set(['date', 'x-request-id', 'ratelimit', 'ratelimit-policy', 'connection'])

/** An answer without what differs between any two of them. */
function stable({ status, rawHeaders, bytes }: Answer): string {
  const headers = rawHeaders.flatMap((name, i) =>
    i % 2 === 1 || differing.has(name.toLowerCase()) ? [] : [`${name}: ${rawHeaders[i + 1]}`],
  )
  const body = bytes.toString('latin1').replace(/req_[0-9a-z]{26}/g, 'REQUEST')
  return [status, ...headers, body].join('\n')
}

/** All that browsers can see at this moment. */
export interface Photograph {
  /** Request -> answer. */
  readonly answers: Readonly<Record<string, string>>
  readonly events: readonly string[]
}

/** Open streams of a browser key, whose events belong to every photograph. */
export interface BrowserEyes {
  photograph(): Promise<Photograph>
  streams(): readonly OpenedStream[]
  close(): void
}

/** Opens the streams of each environment at both addresses. */
export async function openBrowserEyes(
  place: BrowserFixture,
  clients: { readonly api: Client; readonly delivery: Client },
  ports: readonly number[],
): Promise<BrowserEyes> {
  const headers = bearer(place.browserKey)
  const streams = await Promise.all(
    ports.flatMap((port) =>
      place.environments.map(({ id }) =>
        openStream(port, `/snapshots/${place.schemaId}/${id}/stream`, headers),
      ),
    ),
  )
  return {
    async photograph() {
      const answers: Record<string, string> = {}
      for (const ask of browserRequests(place)) {
        for (const [address, client] of Object.entries(clients)) {
          const name = `${address}: ${ask.method} ${ask.path} ${JSON.stringify(ask.headers)}`
          answers[name] = stable(await client.send(ask))
        }
      }
      // A heartbeat says nothing.
      return { answers, events: streams.map((stream) => stream.text().replaceAll(':\n\n', '')) }
    },
    streams: () => streams,
    close() {
      for (const stream of streams) stream.close()
    },
  }
}

/** Returns the differences of two photographs, for people. */
export function differences(before: Photograph, after: Photograph): string[] {
  const answers = Object.entries(after.answers).flatMap(([name, answer]) =>
    before.answers[name] === answer ? [] : [`${name}:\n${before.answers[name]}\n--\n${answer}`],
  )
  const events = after.events.flatMap((text, i) =>
    before.events[i] === text ? [] : [`stream ${i}: ${text.slice(before.events[i]?.length)}`],
  )
  return [...answers, ...events]
}
