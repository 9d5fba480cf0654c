import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasWrk, pinned } from './child.ts'
import { percentile } from './record.ts'

/** Requests to repeat in random order for some seconds. */
export interface Load {
  readonly port: number
  readonly requests: readonly { readonly path: string; readonly headers: Record<string, string> }[]
  readonly connections: number
  readonly seconds: number
  readonly core: number
}

export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were neither 200 nor 304, and connections that broke. */
  readonly errors: number
}

/** Which program makes the load. `wrk` where it is installed, because it costs a tenth of what Node does. */
export const loadGenerator = hasWrk ? 'wrk' : 'node:http'

export async function runLoad(load: Load): Promise<LoadResult> {
  return hasWrk ? runWrk(load) : runNode(load)
}

/**
 * How `wrk` is told what to ask for, and in which form to say what came of it. The requests stand in a file, one on each
 * line, because Lua allows a function only so many texts.
 */
const lua = (file: string, count: number) => `
local requests = {}
function init()
  for line in io.lines("${file}") do
    local fields = {}
    for field in line:gmatch("[^\t]+") do fields[#fields + 1] = field end
    local headers = {}
    for at = 2, #fields, 2 do headers[fields[at]] = fields[at + 1] end
    requests[#requests + 1] = wrk.format("GET", fields[1], headers)
  end
end
function request() return requests[${count === 1 ? '1' : `math.random(${count})`}] end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requestsPerSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"errors":%d}\\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`

function renderRequest({ path, headers }: Load['requests'][number]): string {
  return [path, ...Object.entries(headers).flat()].join('\t')
}

async function runWrk(load: Load): Promise<LoadResult> {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const script = join(directory, 'requests.lua')
    const file = join(directory, 'requests.txt')
    writeFileSync(file, load.requests.map(renderRequest).join('\n'))
    writeFileSync(script, lua(file, load.requests.length))
    const { connections, seconds, port } = load
    const [command, args] = pinned(load.core, 'wrk', [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '10s',
      '-s',
      script,
      `http://127.0.0.1:${port}/`,
    ])
    const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 1e7 })
    const line = stdout.split('\n').find((each) => each.startsWith('{'))
    return JSON.parse(line ?? '') as LoadResult
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function runNode({ port, requests, connections, seconds }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let errors = 0
  const begunAt = performance.now()
  const endAt = begunAt + seconds * 1000
  const one = (index: number) =>
    new Promise<void>((resolve) => {
      const { path, headers } = requests[index % requests.length] ?? { path: '/', headers: {} }
      const at = performance.now()
      const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
        if (answer.statusCode !== 200 && answer.statusCode !== 304) errors += 1
        answer.resume().on('end', () => {
          times.push(performance.now() - at)
          resolve()
        })
      })
      sent.on('error', () => {
        errors += 1
        resolve()
      })
      sent.end()
    })
  await Promise.all(
    Array.from({ length: connections }, async (_, worker) => {
      for (let turn = worker; performance.now() < endAt; turn += connections) await one(turn * 7)
    }),
  )
  agent.destroy()
  return {
    requestsPerSecond: times.length / ((performance.now() - begunAt) / 1000),
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    errors,
  }
}
