import { hasTaskset, startChild } from './child.ts'
import { compete, measureLoad, median, ratios } from './compete.ts'
import { loadGenerator } from './load.ts'
import { recordResult } from './record.ts'

/**
 * P3: OFREP's bulk evaluation of fifty flags on one core, side by side with a server that sends the same bytes without
 * looking at the context, in rounds, as in `delivery-read.ts`.
 *
 *     node --conditions=@signalbox/source bench/ofrep.ts [rounds] [seconds]
 */
const rounds = Number(process.argv[2] ?? 21)
const seconds = Number(process.argv[3] ?? 1)
const connections = 32
const serverCore = 0
const loadCore = 1

const context = {
  targetingKey: 'user-4711',
  email: 'ada@customer.example',
  plan: 'pro',
  country: 'DE',
  appVersion: '2.10.3',
}
const body = JSON.stringify({ context })

interface Started {
  readonly port: number
  readonly path: string
  readonly token: string
  readonly etag: string
  readonly answer: string
}

const ours = startChild('ofrep-server.ts', { core: serverCore, args: [body] })
const { port, path, token, etag, answer } = await ours.next<Started>()
const bare = startChild('bare-server.ts', {
  core: serverCore,
  input: JSON.stringify({ body: answer, etag, tokens: [token] }),
})
try {
  const bareAddress = await bare.next<{ port: number }>()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const post = { body, numberedBy: 'X-Number' }
  const load = (server: { pid: number; port: number }, more: Record<string, string> = {}) =>
    measureLoad(server.pid, {
      port: server.port,
      requests: [{ path, headers: { ...headers, ...more } }],
      connections,
      seconds,
      core: loadCore,
      post,
    })
  const held = { 'If-None-Match': etag }
  const [our, theirs] = [
    { pid: ours.pid, port },
    { pid: bare.pid, port: bareAddress.port },
  ]
  const results = await compete(rounds, {
    bare200: () => load(theirs),
    ours200: () => load(our),
    bare304: () => load(theirs, held),
    ours304: () => load(our, held),
  })
  const ratio200 = ratios(results.ours200, results.bare200)
  const ratio304 = ratios(results.ours304, results.bare304)
  recordResult({
    figure: 'P3',
    what: 'OFREP bulk evaluation of 50 flags, 20 of them with rules, against a bare node:http server that sends the same bytes, one core, 32 connections',
    reach: '>= 0.5 of its requests/s',
    found: `200: ${ratio200.requestsPerSecond}; 304: ${ratio304.requestsPerSecond}`,
    reached: [ratio200, ratio304].every(({ requestsPerSecond }) => requestsPerSecond >= 0.5),
    remark:
      'Bound by processor time, without one place that takes it: of an answer with a body about 4 µs decide the flags, 9 read the context, 5 hash the request; the rest is what Node takes for a POST whose body is read. The bare server reads none. Tried: texts of answers found by their outcomes, conditions that flags share tested once, a body read without taking listeners off (0.40 before). Not done: answers kept by context. This bench always sends the same one and would show it as fast; applications send as many as they have users.',
    measured: {
      setup: { load: loadGenerator, pinned: hasTaskset, connections, rounds, seconds },
      requestBytes: body.length,
      answerBytes: answer.length,
      ratio200,
      ratio304,
      medians: Object.fromEntries(
        Object.entries(results).map(([name, each]) => [name, median(each)]),
      ),
      rounds: results,
    },
  })
} finally {
  await Promise.all([ours.stop(), bare.stop()])
}
