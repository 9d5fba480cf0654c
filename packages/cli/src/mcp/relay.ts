import { problemTypeBase } from '@signalbox/contract'
import { redactTokens } from '../terminal/redact.ts'

/** Describes the server that answers. */
export interface RelayOptions {
  /** Holds the address of `/mcp`. */
  readonly url: string
  readonly token: string
  /** Names this program. The assistant's name goes before it, as it names itself. */
  readonly userAgent: string
  readonly fetch?: typeof fetch
}

/** Returns the answer to one line of an assistant, as one line; `undefined` for what is not answered. */
export type Relay = (line: string) => Promise<string | undefined>

const metaKey = '_meta'
const versionKey = 'io.modelcontextprotocol/protocolVersion'

interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: {
    readonly name?: unknown
    readonly clientInfo?: unknown
    readonly [metaKey]?: Readonly<Record<string, unknown>>
  }
}

const timeoutMs = 60_000

/**
 * Creates the relay between an assistant at stdin and the tools of the server: each message is one request, so that the server
 * alone knows the tools.
 */
export function createRelay(options: RelayOptions): Relay {
  /** Holds what the beginning of a conversation before 2026-07-28 agreed on. */
  const agreed: { version?: string; client?: string } = {}
  return async (line) => {
    if (line.trim() === '') return undefined
    const message = parseMessage(line)
    if (message === undefined) return renderError(null, -32_700, 'The line is not JSON.')
    const { id, method, params } = message
    if (method === 'initialize') agreed.client = readClient(params?.clientInfo) ?? ''
    try {
      const answer = await post(options, line, headersOf(message, agreed))
      if (id === undefined) return undefined
      if (method === 'initialize') agreed.version = readVersion(answer) ?? ''
      return JSON.stringify(answer)
    } catch (error) {
      return id === undefined ? undefined : renderError(id, -32_603, explain(error))
    }
  }
}

function parseMessage(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}

/** Headers that must agree with the message (2026-07-28), or name the agreed revision (before). */
function headersOf(
  { method, params }: Message,
  agreed: { readonly version?: string; readonly client?: string },
): Readonly<Record<string, string>> {
  const version = params?.[metaKey]?.[versionKey] ?? agreed.version
  const name = params?.name
  return {
    ...(typeof version === 'string' && version !== '' && { 'mcp-protocol-version': version }),
    ...(method !== undefined && { 'mcp-method': method }),
    ...(typeof name === 'string' && /^[!-~]+$/.test(name) && { 'mcp-name': name }),
    ...(agreed.client !== undefined && agreed.client !== '' && { client: agreed.client }),
  }
}

async function post(
  { url, token, userAgent, fetch: send = fetch }: RelayOptions,
  body: string,
  { client, ...headers }: Readonly<Record<string, string>>,
): Promise<unknown> {
  const response = await send(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': client === undefined ? userAgent : `${client} ${userAgent}`,
    },
    body,
  })
  // A problem is explained by the person's own server.
  const ownPage = new URL('/docs/problems#', url).href
  const text = (await response.text()).replaceAll(problemTypeBase, ownPage)
  const isProblem = response.headers.get('content-type')?.includes('problem+json') === true
  if (isProblem) throw new Error(detailOf(text))
  if (text === '') return undefined
  return JSON.parse(dataOf(text))
}

/** Returns the last message of a stream of events, or the text itself. */
function dataOf(text: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '))
  return lines.at(-1)?.slice('data: '.length) ?? text
}

function detailOf(text: string): string {
  const problem: { readonly detail?: unknown; readonly code?: unknown } = JSON.parse(text)
  return `${String(problem.detail)} (${String(problem.code)})`
}

/** Returns an assistant's name as the beginning of a `User-Agent`. Example: `claude-code/2.3`. */
function readClient(info: unknown): string | undefined {
  if (typeof info !== 'object' || info === null || !('name' in info)) return undefined
  const version = 'version' in info ? clean(info.version) : '0'
  return `${clean(info.name)}/${version}`
}

function clean(text: unknown): string {
  return String(text)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 40)
}

function readVersion(answer: unknown): string | undefined {
  const result: unknown = Reflect.get(Object(answer), 'result')
  const version: unknown = Reflect.get(Object(result), 'protocolVersion')
  return typeof version === 'string' ? version : undefined
}

function explain(error: unknown): string {
  return redactTokens(error instanceof Error ? error.message : String(error))
}

function renderError(id: Message['id'], code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } })
}
