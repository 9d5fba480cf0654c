import { request, type IncomingMessage } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Names and values in the order they were sent. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly text: string
  json(): unknown
}

export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends one request on a connection of its own, and adds nothing to it. */
export function ask(port: number, path: string, { method, headers, body }: Ask = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method: method ?? 'GET', headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks)
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            rawHeaders: answer.rawHeaders,
            body: bytes,
            text: bytes.toString('utf8'),
            json: () => JSON.parse(bytes.toString('utf8')) as unknown,
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

export interface OpenedStream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Everything received so far. */
  text(): string
  /** Resolves once `pattern` is found in what was received, and fails after five seconds. */
  until(pattern: RegExp): Promise<string>
  /** Resolves when the other side ended the stream. */
  readonly ended: Promise<void>
  pause(): void
  close(): void
}

/** Opens a stream of events and collects what comes. */
export function openStream(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenedStream> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      let text = ''
      const watchers = new Set<() => void>()
      const wake = () => {
        for (const watcher of watchers) watcher()
      }
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
        wake()
      })
      answer.on('error', () => {})
      const ended = new Promise<void>((done) => {
        answer.on('close', () => done())
      })
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        text: () => text,
        until: (pattern) =>
          new Promise((found, failed) => {
            const deadline = setTimeout(() => {
              watchers.delete(look)
              failed(
                new Error(`${String(pattern)} did not come; received: ${JSON.stringify(text)}`),
              )
            }, 20_000)
            const look = () => {
              if (!pattern.test(text)) return
              clearTimeout(deadline)
              watchers.delete(look)
              found(text)
            }
            watchers.add(look)
            look()
          }),
        ended,
        pause: () => answer.pause(),
        close: () => answer.destroy(),
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
