import { createSocket } from 'node:dgram'

/** Answers TXT questions on this machine as an authoritative server does. */
export interface TestDnsServer {
  /** As a setting names it. Example: `127.0.0.1:5353`. */
  readonly address: string
  /** Maps names to the texts of their records. A name that is missing does not exist. */
  readonly records: Map<string, readonly string[]>
  /** `SERVFAIL` to every question, as of a zone that is broken. */
  isBroken: boolean
  close(): Promise<void>
}

const [typeTxt, classIn] = [16, 1]

/** Opens the server over UDP. */
export async function openDnsServer(): Promise<TestDnsServer> {
  const socket = createSocket('udp4')
  const records = new Map<string, readonly string[]>()
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  const server: TestDnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    isBroken: false,
    close: () =>
      new Promise((resolve) => {
        socket.close(() => resolve())
      }),
  }
  socket.on('message', (question, from) => {
    const answer = answerQuestion(question, server)
    socket.send(answer, from.port, from.address)
  })
  return server
}

function answerQuestion(question: Buffer, { records, isBroken }: TestDnsServer): Buffer {
  const { name, end } = readName(question)
  const isTxt = question.readUInt16BE(end) === typeTxt
  const texts = (isTxt && records.get(name)) || []
  const code = isBroken ? 2 : records.has(name) ? 0 : 3
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8580 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(isBroken ? 0 : texts.length, 6)
  const rows = isBroken ? [] : texts.map(renderRecord)
  return Buffer.concat([header, question.subarray(12, end + 4), ...rows])
}

function readName(question: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** Cuts a text into strings as DNS has them, of 40 bytes, so that the reader has to join them. */
function renderRecord(text: string): Buffer {
  const strings = (text.match(/.{1,40}/gs) ?? []).map((part) =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
  )
  const data = Buffer.concat(strings)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(typeTxt, 2)
  head.writeUInt16BE(classIn, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
