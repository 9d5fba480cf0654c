// P7b: one server that grows to 200 organizations with 2,000 keys in 4 environments, 100,000 API keys and a million deployments.
import { createClient } from '../test/testing/http.ts'
import { createMaker } from '../test/testing/organization.ts'
import { addOrganization, grow, type FilledOrganization } from './growth/fill.ts'
import { measureSize, type Measured } from './growth/measure.ts'
import { openGrowingServer } from './growth/server.ts'
import { listSizes, type Size } from './growth/sizes.ts'
import { recordResult } from './record.ts'

/** Example: `node … bench/growth.ts 0.01,0.05` for a look. */
const shares = (process.argv[2] ?? '0.01,0.05,0.2,1').split(',').map(Number)
const nothing: Size = { organizations: 0, apiKeys: 0, deployments: 0 }
const smallKeys = 50
const slowerMax = 1.5
const remark =
  'A write with 2,000 keys compiles, signs, compresses and stores snapshots of all of them, about 150 kB for each audience; it does not grow with the server. Measured while others kept both cores busy (load 10 to 15), which the step to 500,000 deployments shows most.'

/** Records what has been measured, after each size: the largest takes longest, and may be cut short. */
function record(measured: readonly Measured[]): void {
  const [first, last] = [measured[0] ?? {}, measured.at(-1) ?? {}]
  const ratio = Number(
    ((last['write p50'] ?? Number.NaN) / (last['write p50 with 50 keys'] ?? Number.NaN)).toFixed(2),
  )
  const curves = Object.fromEntries(
    Object.keys(first).map((name) => [name, measured.map((each) => each[name] ?? Number.NaN)]),
  )
  const sizes = listSizes(shares).slice(0, measured.length)
  const size = sizes.at(-1) ?? nothing
  recordResult({
    figure: 'P7b',
    what: `a configuration write with 2,000 keys on a server of ${size.organizations} organizations, ${size.apiKeys.toLocaleString('en')} API keys and ${size.deployments.toLocaleString('en')} deployments`,
    reach: `<= ${slowerMax}x of one with 50 keys on the same server`,
    found: `${ratio}x (${last['write p50']} ms)`,
    reached: ratio <= slowerMax,
    measured: { sizes, curves },
    remark,
  })
}

const server = await openGrowingServer()
const client = createClient(server.apiUrl)
try {
  const maker = createMaker(client, server.bootstrapToken)
  const small = await addOrganization(maker, 'Small', smallKeys)
  const organizations: FilledOrganization[] = []
  const measured: Measured[] = []
  let from = nothing
  for (const to of listSizes(shares)) {
    const begun = performance.now()
    await grow(server, maker, { organizations, from, to })
    const filledMs = Math.round(performance.now() - begun)
    from = to
    const found = await measureSize({ server, client, maker, organizations, small })
    measured.push(found)
    console.error(JSON.stringify({ ...to, filledMs, ...found }))
    record(measured)
  }
} finally {
  client.close()
  await server.close()
}
