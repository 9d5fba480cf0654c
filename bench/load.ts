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
  /** Undefined: on any core. */
  readonly core: number | undefined
  /** Posts this text to the first of `requests`, each time with another value of the header `numberedBy`. */
  readonly post?: { readonly body: string; readonly numberedBy: string }
}

export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were neither 200, 202 nor 304, and connections that broke. */
  readonly errors: number
}

/** Names the program that makes the load. `wrk` where it is installed, because it costs a tenth of what Node does. */
export const loadGenerator = hasWrk ? 'wrk' : 'node:http'

export async function runLoad(load: Load): Promise<LoadResult> {
  return hasWrk ? runWrk(load) : runNode(load)
}

/**
 * Tells `wrk` what to ask for, and in which form to say what came of it. The requests stand in a file, one on each
 * line, because Lua allows a function only so many texts.
 */
const lua = (file: string, count: number, post = '') => `
local requests = {}
local first
function init()
  for line in io.lines("${file}") do
    local fields = {}
    for field in line:gmatch("[^\t]+") do fields[#fields + 1] = field end
    local headers = {}
    for at = 2, #fields, 2 do headers[fields[at]] = fields[at + 1] end
    first = first or { path = fields[1], headers = headers }
    requests[#requests + 1] = wrk.format("GET", fields[1], headers)
  end
end
function request() return requests[${count === 1 ? '1' : `math.random(${count})`}] end
${post}
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requestsPerSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"errors":%d}\\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`

/** The first request, with a body. Numbers begin with the time, so that a second run does not repeat them. */
const luaPost = (bodyFile: string, numberedBy: string) => `
local body = io.open("${bodyFile}"):read("*a")
local sent, begun = 0, os.time()
function request()
  sent = sent + 1
  first.headers["${numberedBy}"] = begun .. "-" .. sent
  return wrk.format("POST", first.path, first.headers, body)
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
    const { connections, seconds, port, post } = load
    const bodyFile = join(directory, 'body')
    writeFileSync(bodyFile, post?.body ?? '')
    const posting = post && luaPost(bodyFile, post.numberedBy)
    writeFileSync(script, lua(file, load.requests.length, posting))
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

const fine = new Set([200, 202, 304])

async function runNode({ port, requests, connections, seconds, post }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let errors = 0
  let number = 0
  const begunAt = performance.now()
  const run = Date.now()
  const endAt = begunAt + seconds * 1000
  const one = (index: number) =>
    new Promise<void>((resolve) => {
      const chosen = requests[post === undefined ? index % requests.length : 0]
      const { path, headers: given } = chosen ?? { path: '/', headers: {} }
      const headers = post ? { ...given, [post.numberedBy]: `${run}-${(number += 1)}` } : given
      const method = post === undefined ? 'GET' : 'POST'
      const at = performance.now()
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent }, (answer) => {
        if (!fine.has(answer.statusCode ?? 0)) errors += 1
        answer.resume().on('end', () => {
          times.push(performance.now() - at)
          resolve()
        })
      })
      sent.on('error', () => {
        errors += 1
        resolve()
      })
      sent.end(post?.body)
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
