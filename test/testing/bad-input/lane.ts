import { isDeepStrictEqual } from 'node:util'
import type { BadAsk, CaseTargets } from './cases.ts'
import { isRecord, isSame, judgeAnswer, readExactly, type Fault } from './judge.ts'
import { sendWire } from './wire.ts'
import { bearer, read, type Answer, type Client } from '../http.ts'
import { until } from '../proof-service.ts'

/** Describes the target of one sequence of requests: an organization of its own, in which nothing else changes anything. */
export interface LaneTarget {
  readonly places: CaseTargets
  readonly api: Client
  readonly delivery: Client
  readonly apiUrl: string
  readonly configUrl: string
  /** Makes API keys. */
  readonly bootstrapToken: string
  /** Counts everything the organization stores. Any change of it changes the answer. */
  readonly readState: () => Promise<string>
}

export interface Verdict {
  readonly faults: readonly Fault[]
  /** 0 when the connection ended without an answer. */
  readonly status: number
  readonly tookMs: number
  readonly checkedValues: number
}

export interface Lane {
  run(ask: BadAsk): Promise<Verdict>
}

/** Opens a lane that keeps in mind what was accepted, to compare what is read. */
export async function openLane(place: LaneTarget): Promise<Lane> {
  const { places, api, bootstrapToken } = place
  const model = new Map<string, unknown>()
  let state = await place.readState()

  const send = ({ kind, method, path, headers, bytes, toDelivery }: BadAsk): Promise<Answer> =>
    kind === 'wire'
      ? sendWire(toDelivery === true ? place.configUrl : place.apiUrl, bytes ?? Buffer.alloc(0))
      : api.send({
          method,
          path,
          bytes,
          headers: {
            ...bearer(kind === 'apiKey' ? bootstrapToken : places.key),
            ...headers,
          },
        })

  const isSet = async ({ values, dryRun }: Readonly<Record<string, unknown>>) => {
    if (!isRecord(values)) return false
    if (dryRun !== true) for (const key of Object.keys(values)) model.set(key, values[key])
    return areValues(place, places.environmentId, model)
  }

  const isPromoted = async ({ dryRun, ...choice }: Readonly<Record<string, unknown>>) =>
    dryRun === true || arePromoted(place, choice, model)

  /** Returns whether an accepted value reads as it was sent. */
  const readsBack = async (ask: BadAsk, answer: Answer): Promise<boolean> => {
    if (ask.method === 'GET' || ask.kind === 'wire' || ask.kind === 'path') return true
    if (ask.kind === 'query') {
      for (const key of new URLSearchParams(ask.path.split('?')[1]).getAll('key')) model.delete(key)
      return areValues(place, places.environmentId, model)
    }
    // A body whose fields are all optional may be absent.
    const sent = ask.bytes?.length ? readExactly(ask.bytes) : {}
    if (!isRecord(sent)) return false
    if (ask.path.endsWith('/config-values')) return isSet(sent)
    if (ask.path.endsWith('/promote')) return isPromoted(sent)
    return isMade(place, { ask, sent, answer })
  }

  return {
    async run(ask) {
      let answer: Answer
      try {
        answer = await send(ask)
      } catch {
        return { faults: ['broken'], status: 0, tookMs: 0, checkedValues: 0 }
      }
      const { status, tookMs } = answer
      const before = state
      state = await place.readState()
      // A connection that is no HTTP may end without a word, but leaves nothing either.
      const faults = status === 0 ? [] : judgeAnswer(answer, ask.mustRefuse)
      const accepted = status >= 200 && status <= 299
      const mayStore = accepted && ask.method !== 'GET'
      if (!mayStore && state !== before) faults.push('stored')
      if (accepted) {
        if (!(await readsBack(ask, answer))) faults.push('altered')
        state = await place.readState()
      }
      const checkedValues = accepted && ask.kind === 'values' ? model.size : 0
      return { faults, status, tookMs, checkedValues }
    },
  }
}

type Values = ReadonlyMap<string, unknown>

/** Compares what is set, read by the API and out of the published snapshot, with what was accepted. */
async function areValues(
  place: LaneTarget,
  environmentId: string,
  model: Values,
): Promise<boolean> {
  const { version, values } = await readValues(place, environmentId)
  const set = Object.entries(values).filter(([, { source }]) => source === 'set')
  if (set.length !== model.size) return false
  if (!set.every(([key, { value }]) => model.has(key) && isSame(model.get(key), value)))
    return false
  const published = await readSnapshot(place, environmentId, version)
  return [...model].every(([key, value]) => isSame(value, published.get(key)))
}

/** Of all keys, secrets are copied only where they are included. */
async function arePromoted(
  place: LaneTarget,
  { keys, include }: Readonly<Record<string, unknown>>,
  model: Values,
) {
  const { values } = await readValues(place, place.places.otherEnvironmentId)
  const withSecrets = Array.isArray(include) && include.includes('secret')
  const promoted = Array.isArray(keys)
    ? keys.map(String)
    : [...model.keys()].filter((key) => withSecrets || values[key]?.tier !== 'secret')
  return promoted.every((key) => isSame(model.get(key), values[key]?.value))
}

interface ReadValues {
  readonly version: number
  readonly values: Readonly<
    Record<string, { readonly value?: unknown; readonly source: string; readonly tier: string }>
  >
}

async function readValues(place: LaneTarget, environmentId: string): Promise<ReadValues> {
  const { orgId, valuesId } = place.places
  const path = `/organizations/${orgId}/config-values?schemaId=${valuesId}&environmentId=${environmentId}`
  const headers = bearer(place.places.key)
  return read(await place.api.send({ method: 'GET', path, headers })) as ReadValues
}

/** The keys of all tiers, once `version` has come. */
async function readSnapshot(
  { places, delivery }: LaneTarget,
  environmentId: string,
  version: number,
): Promise<Values> {
  const path = `/snapshots/${places.valuesId}/${environmentId}`
  let all: [string, unknown][] = []
  await until(async () => {
    const answer = await delivery.send({ method: 'GET', path, headers: bearer(places.key) })
    const snapshot = read(answer) as { version: number; [tier: string]: unknown }
    const tiers = [snapshot['public'], snapshot['secret'], snapshot['featureFlags']]
    all = tiers.flatMap((tier) => (isRecord(tier) ? Object.entries(tier) : []))
    return snapshot.version >= version
  }, `version ${version} in the snapshot`)
  return new Map(all)
}

interface Creation {
  readonly ask: BadAsk
  readonly sent: Readonly<Record<string, unknown>>
  readonly answer: Answer
}

/** Compares what was made with what was asked for, and removes it again, so that no quota is ever reached. */
async function isMade(place: LaneTarget, { ask, sent, answer }: Creation): Promise<boolean> {
  const token = ask.kind === 'apiKey' ? place.bootstrapToken : place.places.key
  const headers = bearer(token)
  const { id } = read(answer) as { id?: string }
  if (id === undefined) return false
  const path = ask.method === 'POST' ? `${ask.path}/${id}` : ask.path
  const got = read(await place.api.send({ method: 'GET', path, headers }))
  if (ask.method === 'POST') {
    const removed = await place.api.send({
      method: 'DELETE',
      path: `${path}${forced(ask)}`,
      headers,
    })
    if (removed.status !== 204) return false
  }
  return (
    isRecord(got) && Object.keys(sent).every((name) => isSameField(name, sent[name], got[name]))
  )
}

const forced = ({ kind }: BadAsk) =>
  kind === 'createSchema' || kind === 'environment' ? '?force=true' : ''

function isSameField(name: string, sent: unknown, got: unknown): boolean {
  if (name === 'schema') return areDefinitions(sent, got)
  if (name === 'expiresAt' && typeof sent === 'string' && typeof got === 'string') {
    return Date.parse(sent) === Date.parse(got)
  }
  // Display names lose the white space around them, as documented.
  if (name === 'name' && typeof sent === 'string') return isSame(sent.trim(), got)
  return isDeepStrictEqual(sent, got)
}

function areDefinitions(sent: unknown, got: unknown): boolean {
  if (!isRecord(sent) || !isRecord(got)) return false
  const keys = Object.keys(sent)
  return (
    keys.length === Object.keys(got).length && keys.every((key) => isDefined(sent[key], got[key]))
  )
}

function isDefined(sent: unknown, got: unknown): boolean {
  if (!isRecord(sent) || !isRecord(got)) return false
  return Object.keys(sent).every((field) => isDeepStrictEqual(sent[field], got[field]))
}
