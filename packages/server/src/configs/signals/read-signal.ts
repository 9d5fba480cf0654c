import type { SignalSpec } from '@signalbox/contract/rest'
import type { Egress } from '../../egress/create-egress.ts'
import { EgressError, type EgressFailure } from '../../egress/egress-error.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'
import type { Credential } from './credential.ts'
import { judgeAnswer } from './http-answer.ts'
import { judgeSeries, readSeries, toQueryUrl, type Series } from './prometheus.ts'
import { fillTemplate, readTemplate } from './query-template.ts'
import { readAlert } from './read-alert.ts'
import { noData } from './readings.ts'
import type { Reading, ReadFor, SignalRow } from './signal.ts'

/** Reads signals. It never throws for what the other side does: then there is no data. */
export interface SignalReader {
  read(
    row: Pick<SignalRow, 'spec' | 'firing' | 'heardAt'>,
    readFor: ReadFor,
    credential: Credential,
  ): Promise<Reading>
}

interface ReaderDeps {
  readonly egress: Pick<Egress, 'request'>
  readonly now: () => Date
  /** Limits each call. Default 5 s: a signal is read every 15 to 30 s. */
  readonly timeoutMs?: number
}

const maxBytes = 1024 * 1024
/** Bounds the calls for a change of many flags. */
const flagsMax = 10

/** Creates the reader of signals. What a test run says comes from elsewhere. */
export function createSignalReader({ egress, now, timeoutMs = 5_000 }: ReaderDeps): SignalReader {
  return {
    async read({ spec, firing, heardAt }, readFor, credential) {
      if (spec.kind === 'tests') return noData('starts a test run with each change')
      if (spec.kind === 'alert') return readAlert({ firing, heardAt }, readFor.since, now())
      const call = { egress, timeoutMs, headers: toHeaders(credential) }
      try {
        if (spec.kind === 'prometheus') return await readPrometheus(call, spec, readFor)
        const limits = { headers: call.headers, timeoutMs, maxBytes }
        return judgeAnswer(spec.expect, await egress.request(spec.url, limits))
      } catch (error) {
        if (!(error instanceof EgressError)) throw error
        return noData(failures[error.code])
      }
    },
  }
}

/** Says why there was no answer, without a name of the other side. */
const failures: Readonly<Record<EgressFailure, string>> = {
  invalid_url: 'has an address that is not allowed',
  address_forbidden: 'has an address that is not public',
  timeout: 'did not answer in time',
  too_large: 'answered too much',
  encoding: 'answered in an unknown encoding',
  connection: 'could not be reached',
}

interface Call extends Pick<ReaderDeps, 'egress' | 'timeoutMs'> {
  readonly headers: Readonly<Record<string, string>>
}

function toHeaders({ authorization }: Credential): Readonly<Record<string, string>> {
  return authorization === undefined ? {} : { authorization }
}

type PrometheusSpec = Extract<SignalSpec, { readonly kind: 'prometheus' }>

async function readPrometheus(
  call: Call,
  spec: PrometheusSpec,
  { environment, schema, version, flags, since }: ReadFor,
): Promise<Reading> {
  const template = readTemplate(spec.query)
  if ('at' in template) return noData('has a query that names the change in the wrong place')
  const isPerFlag = template.names.has('flag')
  if (isPerFlag && flags.length === 0) return noData('is about flags, and none has changed')
  const filling = { environment, schema, version: String(version) }
  const queries = (isPerFlag ? flags.slice(0, flagsMax) : ['']).map((flag) =>
    fillTemplate(template, { ...filling, flag }),
  )
  const readings = await Promise.all(queries.map((query) => readQuery(call, spec, query, since)))
  return pickWorst(readings)
}

/** Returns the worst of the readings of several flags. Where one has no data and none is bad, there is none. */
function pickWorst(readings: readonly Reading[]): Reading {
  const worst = (['bad', 'none', 'good'] as const).flatMap((verdict) =>
    readings.filter((each) => each.verdict === verdict),
  )
  return worst[0] ?? noData('has no value')
}

async function readQuery(
  call: Call,
  spec: PrometheusSpec,
  query: string,
  since: Date,
): Promise<Reading> {
  const now = await ask(call, spec.url, { query })
  if (typeof now === 'string') return noData(now)
  const isCompared = spec.timesBefore !== undefined
  const time = String(since.getTime() / 1000)
  const before = isCompared ? await ask(call, spec.url, { query, time }) : now
  // Without the value from before, the comparison says nothing, and so does the signal where it has nothing else.
  return judgeSeries(spec, now, typeof before === 'string' ? new Map() : before)
}

/** Asks an instant query. Returns why there is no answer, in words. */
async function ask(
  { egress, headers, timeoutMs = 5_000 }: Call,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<Series | string> {
  const { status, body } = await egress.request(toQueryUrl(url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    timeoutMs,
    maxBytes,
  })
  if (status === 401 || status === 403) return `refused the credential: it answered ${status}`
  if (status === 400 || status === 422) return `refused the query: it answered ${status}`
  if (status !== 200) return `answered ${status}`
  return readSeries(readForeignJson(body)) ?? 'answered something else than Prometheus does'
}
