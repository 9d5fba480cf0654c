import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * The yardstick of P1: node:http with a look-up of the key in a Map and a comparison of the ETag, and nothing else.
 * Started with `{ body, etag, tokens, copies?, sharedPort? }` as JSON on its standard input. With `copies` it has as many bodies of
 * their own, one at each path `/<number>`: what the machine itself loses to a body that is in no cache. With `sharedPort` others
 * may listen on its port as well; 0 takes any free one. What is posted is read to its end and parsed before the answer.
 */
const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const { body, etag, tokens, copies, sharedPort } = JSON.parse(Buffer.concat(chunks).toString()) as {
  body: string
  etag: string
  tokens: string[]
  copies?: number
  sharedPort?: number
}
const payloads = Array.from({ length: copies ?? 1 }, () => Buffer.from(body))
const [first = Buffer.alloc(0)] = payloads
const payloadOf =
  copies === undefined
    ? () => first
    : (url: string | undefined) => payloads[Number(url?.slice(1))] ?? first
const keys = new Map(tokens.map((token) => [`Bearer ${token}`, true]))

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (!keys.has(request.headers.authorization ?? '')) {
    response.writeHead(401)
    response.end()
  } else if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { ETag: etag })
    response.end()
  } else {
    const payload = payloadOf(request.url)
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': payload.length,
      ETag: etag,
    })
    response.end(payload)
  }
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') return answer(request, response)
  const posted: Buffer[] = []
  request.on('data', (chunk: Buffer) => posted.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(posted).toString())
    answer(request, response)
  })
})
const reusePort = sharedPort !== undefined
server.listen({ host: '127.0.0.1', port: sharedPort ?? 0, reusePort }, () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`${JSON.stringify({ port })}\n`)
})
