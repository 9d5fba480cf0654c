import { createServer } from 'node:http'

/**
 * The yardstick of P1: node:http with a look-up of the key in a Map and a comparison of the ETag, and nothing else.
 * Started with `{ body, etag, tokens }` as JSON on its standard input.
 */
const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const { body, etag, tokens } = JSON.parse(Buffer.concat(chunks).toString()) as {
  body: string
  etag: string
  tokens: string[]
}
const payload = Buffer.from(body)
const keys = new Map(tokens.map((token) => [`Bearer ${token}`, true]))

const server = createServer((request, response) => {
  if (!keys.has(request.headers.authorization ?? '')) {
    response.writeHead(401)
    response.end()
  } else if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { ETag: etag })
    response.end()
  } else {
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': payload.length,
      ETag: etag,
    })
    response.end(payload)
  }
})
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`${JSON.stringify({ port })}\n`)
})
