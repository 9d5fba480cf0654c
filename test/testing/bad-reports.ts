import { gzipSync } from 'node:zlib'

/** A report that must be refused, and what it says it is. */
export interface BadReport {
  readonly what: string
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const mebibyte = 1024 * 1024
const suite = (inner: string) => `<testsuite name="made" tests="1">${inner}</testsuite>`

/** `lol9` stands for 3 GB. */
const laughs = [
  '<!DOCTYPE lolz [<!ENTITY lol "lol">',
  ...Array.from({ length: 9 }, (_, i) => {
    const one = i === 0 ? '&lol;' : `&lol${i};`
    return `<!ENTITY lol${i + 1} "${one.repeat(10)}">`
  }),
  `]>${suite('<testcase name="&lol9;"/>')}`,
].join('')

const xml: Readonly<Record<string, string>> = {
  'a billion laughs': laughs,
  'one entity, often': `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(50_000)}">]>${suite(`<testcase name="${'&a;'.repeat(20_000)}"/>`)}`,
  'a file of the server': `<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>${suite('<testcase name="&a;"/>')}`,
  'an address of the network': `<!DOCTYPE a SYSTEM "http://169.254.169.254/">${suite('')}`,
  'a parameter entity': `<!DOCTYPE a [<!ENTITY % a SYSTEM "http://127.0.0.1:1/a"> %a;]>${suite('')}`,
  'deep nesting': '<testsuites>'.repeat(200_000),
  'deep nesting that ends': '<a>'.repeat(100_000) + '</a>'.repeat(100_000),
  'no end': '<testsuite name="made"><testcase name="',
  'another language': '<!doctype html><title>502 Bad Gateway</title>',
  nothing: '',
  'text alone': 'ok',
}

const json: Readonly<Record<string, string>> = {
  'deep nesting': '['.repeat(500_000),
  'deep nesting that ends': `{"results":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'a prototype': '{"__proto__":{"results":{"tests":[]}}}',
  'tests that are none': '{"results":{"tool":{"name":"a"},"summary":{},"tests":{"length":1e9}}}',
  null: 'null',
  'half of it': '{"results":{"tool":{"name":"a"},"tests":[{"name":"a","sta',
  nothing: '',
}

const asXml = { 'content-type': 'application/xml' }
const asJson = { 'content-type': 'application/json' }

/** All of them. */
export function listBadReports(): BadReport[] {
  const good = Buffer.from(suite('<testcase name="made"/>'))
  const large = Buffer.from(suite('<testcase name="made"/>'.repeat((25 * mebibyte) / 20)))
  return [
    ...Object.entries(xml).map(([what, text]) => ({
      what: `XML: ${what}`,
      bytes: Buffer.from(text),
      headers: asXml,
    })),
    ...Object.entries(json).map(([what, text]) => ({
      what: `JSON: ${what}`,
      bytes: Buffer.from(text),
      headers: asJson,
    })),
    { what: '25 MB', bytes: large, headers: asXml },
    { what: 'gzip', bytes: gzipSync(good), headers: { ...asXml, 'content-encoding': 'gzip' } },
    {
      what: 'a gzip bomb',
      bytes: gzipSync(Buffer.alloc(50 * mebibyte)),
      headers: { ...asXml, 'content-encoding': 'gzip' },
    },
    { what: 'gzip that does not say so', bytes: gzipSync(good), headers: asXml },
    { what: 'zeros', bytes: Buffer.alloc(mebibyte), headers: asXml },
    { what: 'another type', bytes: good, headers: { 'content-type': 'text/csv' } },
    { what: 'XML as JSON', bytes: good, headers: asJson },
  ]
}
