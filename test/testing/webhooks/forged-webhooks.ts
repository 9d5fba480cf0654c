import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Ask } from '../http.ts'

/** A request to the intake that no provider has signed. */
export interface ForgedWebhook {
  readonly what: string
  readonly ask: Ask
}

type Headers = Readonly<Record<string, string | undefined>>

const hmac = (algorithm: string, secret: string, text: string | Buffer) =>
  createHmac(algorithm, secret).update(text).digest('hex')

/** Returns a request to the intake with these headers. One that is `undefined` is removed. */
function toAsk(path: string, bytes: Buffer, headers: Headers): Ask {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { method: 'POST', path, bytes, headers: Object.fromEntries(given) }
}

function flip(bytes: Buffer): Buffer {
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20)
  return flipped
}

/** Bodies that are not what was signed. */
function changedBodies(body: Buffer): Readonly<Record<string, Buffer>> {
  return {
    'one bit': flip(body),
    'the last byte cut': body.subarray(0, -1),
    'a byte more': Buffer.concat([body, Buffer.from(' ')]),
    'a line break more': Buffer.concat([body, Buffer.from('\n')]),
    'other white space': Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)),
    'nothing left': Buffer.alloc(0),
    'twice the body': Buffer.concat([body, body]),
    'packed without saying so': gzipSync(body),
  }
}

/** Lists forged values of a header, instead of `prefix` and 64 digits. */
function changedMacs(prefix: string, hex: string, others: Headers): Headers {
  const right = `${prefix}${hex}`
  return {
    'no signature': undefined,
    'an empty signature': '',
    'the prefix alone': prefix,
    'no prefix': hex,
    'the prefix twice': `${prefix}${right}`,
    'the prefix in capitals': right.replace(prefix, prefix.toUpperCase()),
    zeros: `${prefix}${'0'.repeat(64)}`,
    'a digit less': right.slice(0, -1),
    'a byte less': right.slice(0, -2),
    'a byte more': `${right}00`,
    'a digit that is none': `${right.slice(0, -1)}g`,
    'another last digit': `${right.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`,
    base64: `${prefix}${Buffer.from(hex, 'hex').toString('base64')}`,
    'two signatures': `${right}, ${right}`,
    'another algorithm': right.replace(prefix, 'sha1='),
    ...others,
  }
}

/** GitHub: `X-Hub-Signature-256`, of the body. */
export function forgeForCodehost(
  secret: string,
  body: Buffer,
): { readonly genuine: Ask; readonly forged: readonly ForgedWebhook[] } {
  const path = '/webhooks/codehost'
  const name = 'x-hub-signature-256'
  const hex = hmac('sha256', secret, body)
  const base = {
    'content-type': 'application/json',
    'x-github-event': 'deployment_status',
    'x-github-delivery': 'forged-1',
  }
  const macs = changedMacs('sha256=', hex, {
    'made with the empty secret': `sha256=${hmac('sha256', '', body)}`,
    'made with part of the secret': `sha256=${hmac('sha256', secret.slice(0, -1), body)}`,
    'of the wrong algorithm': `sha256=${hmac('sha1', secret, body)}`,
    'of another body': `sha256=${hmac('sha256', secret, '{}')}`,
  })
  return {
    genuine: toAsk(path, body, { ...base, [name]: `sha256=${hex}` }),
    forged: [
      ...Object.entries(macs).map(([what, value]) => ({
        what: `codehost: ${what}`,
        ask: toAsk(path, body, { ...base, [name]: value }),
      })),
      ...Object.entries(changedBodies(body)).map(([what, bytes]) => ({
        what: `codehost: ${what}`,
        ask: toAsk(path, bytes, { ...base, [name]: `sha256=${hex}` }),
      })),
      {
        what: 'codehost: only the older header, which is right',
        ask: toAsk(path, body, {
          ...base,
          'x-hub-signature': `sha1=${hmac('sha1', secret, body)}`,
        }),
      },
      {
        what: 'codehost: signed as the other provider does',
        ask: toAsk(path, body, { ...base, 'x-slack-signature': `sha256=${hex}` }),
      },
    ],
  }
}

/** Slack: `X-Slack-Signature`, of version, time and body. */
export function forgeForChat(
  secret: string,
  body: Buffer,
  nowSeconds: number,
): { readonly genuine: Ask; readonly forged: readonly ForgedWebhook[] } {
  const path = '/webhooks/chat'
  const sign = (at: string, key = secret) =>
    hmac('sha256', key, Buffer.concat([Buffer.from(`v0:${at}:`), body]))
  const now = String(nowSeconds)
  const at = (seconds: number | string) => {
    const text = String(seconds)
    return { 'x-slack-request-timestamp': text, 'x-slack-signature': `v0=${sign(text)}` }
  }
  const base = { 'content-type': 'application/json', 'x-slack-request-timestamp': now }
  const macs = changedMacs('v0=', sign(now), {
    'another version': `v1=${sign(now)}`,
    'made with the empty secret': `v0=${sign(now, '')}`,
    'of the body alone': `v0=${hmac('sha256', secret, body)}`,
    'of another time': `v0=${sign(String(nowSeconds - 1))}`,
  })
  const times: Readonly<Record<string, Headers>> = {
    'no time': { 'x-slack-request-timestamp': undefined, 'x-slack-signature': `v0=${sign('')}` },
    'six minutes old': at(nowSeconds - 360),
    'six minutes ahead': at(nowSeconds + 360),
    'in milliseconds': at(nowSeconds * 1000),
    'a time that is none': at('now'),
    'a time below zero': at(-nowSeconds),
    'a time with a fraction': at(`${now}.0`),
    'a time in hexadecimal': at(`0x${nowSeconds.toString(16)}`),
  }
  return {
    genuine: toAsk(path, body, { ...base, ...at(nowSeconds) }),
    forged: [
      ...Object.entries(macs).map(([what, value]) => ({
        what: `chat: ${what}`,
        ask: toAsk(path, body, { ...base, 'x-slack-signature': value }),
      })),
      ...Object.entries(times).map(([what, headers]) => ({
        what: `chat: ${what}`,
        ask: toAsk(path, body, { ...base, ...headers }),
      })),
      ...Object.entries(changedBodies(body)).map(([what, bytes]) => ({
        what: `chat: ${what}`,
        ask: toAsk(path, bytes, { ...base, ...at(nowSeconds) }),
      })),
    ],
  }
}
