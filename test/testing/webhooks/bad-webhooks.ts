import { gzipSync } from 'node:zlib'
import { byDay } from '../by-day.ts'
import type { Ask } from '../http.ts'
import { sampleStatus, type WebhookSender } from './webhook-sender.ts'

/** A request to the intake that no provider sends, or that he sends with something nobody has seen yet. */
export interface BadWebhook {
  readonly what: string
  readonly ask: Ask
  /**
   * `refused`: with 4xx, and nothing is stored. `taken`: with 202, and then done or ignored with a reason. `recorded`: with 400,
   * and stored as `taken` is.
   */
  readonly expected: 'refused' | 'taken' | 'recorded'
}

/** Texts that are no JSON. */
const brokenTexts: Readonly<Record<string, string>> = {
  nothing: '',
  html: '<!doctype html><title>502 Bad Gateway</title>',
  'half of JSON': '{"installation":{"id":7},"deployment_status":{"st',
  'deep nesting': `{"a":${'['.repeat(200_000)}`,
}

const texts: Readonly<Record<string, string>> = {
  'a form': `payload=${encodeURIComponent('{"zen":"Keep it logically awesome."}')}`,
  'an array': '[]',
  null: 'null',
  'a number': '17',
  NUL: '{"action":"\\u0000","installation":{"id":7}}',
  'lone surrogates': '{"action":"\\ud800","repository":{"id":9,"full_name":"\\udfff"}}',
  'a prototype': '{"__proto__":{"id":7},"installation":{"__proto__":{"id":7}},"constructor":{}}',
  'huge numbers':
    '{"installation":{"id":1e999},"repository":{"id":123456789012345678901234567890}}',
  'ids that are none':
    '{"installation":{"id":{"$ne":1}},"repository":{"id":"9; drop table users"}}',
}

/** Values that an event may have and we do not know, at each of its places. */
const strange = ['unheard_of', '', 'x'.repeat(100_000), 7, true, null, [], {}, '1970', '\u202e']

function* withStrangeValues(): Generator<readonly [string, Buffer]> {
  const status: Record<string, unknown> = JSON.parse(sampleStatus(7).toString())
  for (const part of ['deployment_status', 'deployment', 'repository', 'workflow_run']) {
    const inner = Object(status[part])
    for (const name of Object.keys(inner)) {
      for (const value of strange) {
        const changed = { ...status, [part]: { ...inner, [name]: value } }
        yield [`${part}.${name} = ${JSON.stringify(value).slice(0, 20)}`, toBytes(changed)]
      }
    }
  }
}

function toBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** All of them, each with an id of its own. */
export function listBadWebhooks(sender: WebhookSender): BadWebhook[] {
  const good = sampleStatus(7)
  const path = '/webhooks/codehost'
  const send = (bytes: Buffer, headers: Record<string, string | undefined> = {}): Ask => {
    const all = { ...sender.headersOf(bytes), ...headers }
    const given = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    return { method: 'POST', path, bytes, headers: Object.fromEntries(given) }
  }
  const signature = 'x-hub-signature-256'
  const refused = (what: string, ask: Ask): BadWebhook => ({ what, ask, expected: 'refused' })
  const taken = (what: string, ask: Ask): BadWebhook => ({ what, ask, expected: 'taken' })
  const recorded = (what: string, ask: Ask): BadWebhook => ({ what, ask, expected: 'recorded' })
  const flipped = Buffer.from(good)
  flipped.writeUInt8(flipped.readUInt8(100) ^ 1, 100)
  const signatures: Record<string, string | undefined> = {
    'no signature': undefined,
    'an empty signature': '',
    'a signature of zeros': `sha256=${'0'.repeat(64)}`,
    'a short signature': sender.sign(good).slice(0, -2),
    'a long signature': `${sender.sign(good)}00`,
    'another algorithm': sender.sign(good).replace('sha256', 'sha1'),
    'two signatures': `${sender.sign(good)}, ${sender.sign(good)}`,
    'a signature of something else': sender.sign(flipped),
  }
  return [
    ...Object.entries(signatures).map(([what, value]) =>
      refused(what, send(good, { [signature]: value })),
    ),
    refused('a changed body', send(flipped, { [signature]: sender.sign(good) })),
    refused('a cut body', send(good.subarray(0, -1), { [signature]: sender.sign(good) })),
    refused('more than may come', send(Buffer.alloc(25 * 1024 * 1024 + 1))),
    refused('a packed body', send(gzipSync(good), { 'content-encoding': 'gzip' })),
    refused('no event', send(good, { 'x-github-event': undefined })),
    refused('an event that is none', send(good, { 'x-github-event': '../push' })),
    refused('no id', send(good, { 'x-github-delivery': undefined })),
    refused('an id that is none', send(good, { 'x-github-delivery': "1' or '1'='1" })),
    refused('a long id', send(good, { 'x-github-delivery': 'a'.repeat(101) })),
    ...['GET', 'PUT', 'DELETE'].map((method) => refused(method, { ...send(good), method })),
    ...['tracker', 'codehost/x', '%2e%2e'].map((place) =>
      refused(place, { ...send(good), path: `/webhooks/${place}` }),
    ),
    ...Object.entries(texts).map(([what, text]) => taken(what, send(Buffer.from(text)))),
    ...Object.entries(brokenTexts).map(([what, text]) => recorded(what, send(Buffer.from(text)))),
    recorded('invalid UTF-8', send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))),
    taken('an unknown event', send(good, { 'x-github-event': 'unheard_of' })),
    taken(
      'a form by its header',
      send(good, { 'content-type': 'application/x-www-form-urlencoded' }),
    ),
    taken('no content type', send(good, { 'content-type': undefined })),
    ...byDay([...withStrangeValues()], 3).map(([what, bytes]) => taken(what, send(bytes))),
  ]
}
