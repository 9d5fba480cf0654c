import { hasTaskset, startChild } from './child.ts'
import { compete, measureProcesses, medians, ratios, reach, renderRatio } from './compete.ts'
import { runLoad } from './load.ts'
import { recordResult } from './record.ts'

/**
 * P3: OFREP's bulk evaluation of fifty flags on one core, for users whose contexts differ, side by side with a server that reads
 * and parses the same bodies and sends the same bytes, in rounds, as in `delivery-read.ts`.
 *
 *     node --conditions=@signalbox/source bench/ofrep.ts [rounds] [seconds]
 */
const rounds = Number(process.argv[2] ?? 11)
const seconds = Number(process.argv[3] ?? 1)
const connections = 32
const serverCore = 0
const loadCore = 1
const users = 1_000

const countries = ['DE', 'AT', 'CH', 'FR', 'US', 'JP']
const bodies = Array.from({ length: users }, (_, user) =>
  JSON.stringify({
    context: {
      targetingKey: `user-${String(user).padStart(4, '0')}`,
      email: `user-${user}@${user % 10 === 0 ? 'acme' : 'customer'}.example`,
      plan: user % 3 === 0 ? 'pro' : 'free',
      country: countries[user % countries.length],
      appVersion: `2.${user % 20}.3`,
    },
  }),
)

interface Started {
  readonly port: number
  readonly path: string
  readonly token: string
  readonly answers: readonly { readonly etag: string; readonly text: string }[]
}

const ours = startChild('ofrep-server.ts', { core: serverCore, input: JSON.stringify(bodies) })
const { port, path, token, answers } = await ours.next<Started>()
const [{ etag, text: answer } = { etag: '', text: '' }] = answers
const bare = startChild('bare-server.ts', {
  core: serverCore,
  input: JSON.stringify({ body: answer, etag, tokens: [token] }),
})
try {
  const bareAddress = await bare.next<{ port: number }>()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const load = (server: { pid: number; port: number }, etags?: readonly string[]) => {
    const requests = bodies.map((body, user) => {
      const held = etags?.[user % etags.length]
      return {
        path,
        body,
        headers: { ...headers, ...(held !== undefined && { 'If-None-Match': held }) },
      }
    })
    return measureProcesses([server.pid], () =>
      runLoad({ port: server.port, requests, connections, seconds, core: loadCore }),
    )
  }
  const etags = answers.map((each) => each.etag)
  const [our, theirs] = [
    { pid: ours.pid, port },
    { pid: bare.pid, port: bareAddress.port },
  ]
  const results = await compete(rounds, {
    bare200: () => load(theirs),
    ours200: () => load(our),
    bare304: () => load(theirs, [etag]),
    ours304: () => load(our, etags),
  })
  const ratio200 = ratios(results.ours200, results.bare200)
  const ratio304 = ratios(results.ours304, results.bare304)
  recordResult({
    figure: 'P3',
    what: `OFREP bulk evaluation of 50 flags, 20 of them with rules, for ${users} users, against a bare node:http server that reads and parses the same body and sends the same bytes, one core, ${connections} connections`,
    reach: '>= 0.6 of its requests/s and of its answers per processor second',
    found: `200: ${renderRatio(ratio200)}; 304: ${renderRatio(ratio304)}`,
    reached: reach(0.6, ratio200) && reach(0.6, ratio304),
    remark:
      'Bound by processor time, without one place that takes it: of an answer with a body about 4 µs decide the flags, 9 read the context, 5 hash the request; the rest is what Node takes for a POST whose body is read. Tried: texts of answers found by their outcomes, conditions that flags share tested once, a body read without taking listeners off.',
    measured: {
      setup: { pinned: hasTaskset, connections, rounds, seconds, users },
      requestBytes: bodies[0]?.length,
      answerBytes: answer.length,
      ratio200,
      ratio304,
      medians: medians(results),
      rounds: results,
    },
  })
} finally {
  await Promise.all([ours.stop(), bare.stop()])
}
