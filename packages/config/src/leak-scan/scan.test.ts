import { describe, expect, it } from 'vitest'
import { describeLeak, fingerprintSecrets, scanFile, type Leak } from './index.ts'

const secrets = {
  stripeKey: 'sk_live_51Hx"&\\Zq9',
  databaseUrl: 'postgres://shop:pässword@db/shop',
}
const values = fingerprintSecrets(secrets)
const scan = (content: string | Uint8Array, path = 'app.js') =>
  scanFile({ path, content }, { values })
const found = (leaks: readonly Leak[]) => leaks.flatMap(({ names }) => names)
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('the value of a secret is found in a built file', () => {
  const { stripeKey } = secrets
  const quoted = JSON.stringify(stripeKey)
  it.each([
    ['as it is', stripeKey],
    ['in a literal with escapes', `const a=${quoted}`],
    ['with every letter escaped', `"${Array.from(stripeKey, escapeLetter).join('')}"`],
    [
      'added up',
      `"${stripeKey.slice(0, 6)}" +\n  'live_51H' + \`x"&\\\\Zq9\``.replace(
        'live_51H',
        stripeKey.slice(6, 11),
      ),
    ],
    ['joined', `["sk_live", '_51Hx"&',"\\\\Zq9"].join('')`],
    ['percent-encoded', `https://x/?key=${encodeURIComponent(stripeKey)}`],
    ['in HTML', '<meta content="sk_live_51Hx&quot;&amp;\\Zq9">'],
    ['in hexadecimal digits', Buffer.from(stripeKey).toString('hex').toUpperCase()],
    ['in base64', base64(stripeKey)],
    ['in the base64 of something longer', base64(`{"key":${stripeKey}}`)],
    ['in the same one letter on', base64(` {"key":${stripeKey}}`)],
    ['in the same two letters on', base64(`  {"key":${stripeKey}}`)],
    ['in base64 for URLs', Buffer.from(`>>>${stripeKey}???`).toString('base64url')],
  ])('%s', (_form, content) => {
    expect(found(scan(content))).toEqual(['stripeKey'])
    expect(found(scan(`${'x'.repeat(999)}\n${content}\n`))).toEqual(['stripeKey'])
  })

  it('among bytes that are no text, and beyond ASCII', () => {
    const bytes = Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(stripeKey)])
    expect(found(scan(bytes, 'image.wasm'))).toEqual(['stripeKey'])
    expect(found(scan(Buffer.from(secrets.databaseUrl)))).toEqual(['databaseUrl'])
  })

  it('control: not when a letter differs, and not from fingerprints of something else', () => {
    expect(scan('sk_live_51Hx"&\\Zq8 postgres://shop:password@db/shop')).toEqual([])
    const others = fingerprintSecrets({ other: 'something else 42' })
    expect(scanFile({ path: 'a', content: stripeKey }, { values: others })).toEqual([])
  })

  it('at its line and column, and the value is not told', () => {
    const leaks = scan(`a\n\u00e4\n  x="sk_" + ${JSON.stringify(stripeKey.slice(3))}`)
    expect(leaks.map(describeLeak)).toEqual([
      "app.js:3:6 holds the value of the secret 'stripeKey'",
    ])
    const hidden = scan(base64(stripeKey)).map(describeLeak)
    expect(hidden).toEqual(["app.js:1:1 holds the value of the secret 'stripeKey' (base64)"])
    for (const value of Object.values(secrets)) {
      expect(JSON.stringify([leaks, values])).not.toContain(value)
    }
  })
})

describe('source maps', () => {
  const map = JSON.stringify({
    version: 3,
    sources: ['../src/a.ts', '../src/pay.ts'],
    sourcesContent: [null, `\nconst key = ${JSON.stringify(secrets.stripeKey)}`],
    names: [],
    mappings: '',
  })

  it('are read source by source', () => {
    expect(scan(map, 'app.js.map').map(describeLeak)).toEqual([
      "app.js.map, of ../src/pay.ts:2:14 holds the value of the secret 'stripeKey'",
    ])
  })

  it('are read inside of a script', () => {
    const content = `f()\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${base64(map)}`
    expect(scan(content).map(({ path }) => path)).toEqual([
      'app.js, its source map, of ../src/pay.ts',
    ])
  })

  it('that are none are read as text', () => {
    expect(found(scan(`{"no json ${secrets.databaseUrl}`, 'app.js.map'))).toEqual(['databaseUrl'])
  })
})

describe('the names of secrets are found', () => {
  const names = ['stripeKey', 'databaseUrl', 'token']
  const listed = (content: string, of = names) =>
    scanFile({ path: 'app.js', content }, { names: of }).map((leak) => leak.names)

  it('where a definition is bundled', () => {
    expect(
      listed('x={secret:{stripeKey:s({prefix:"sk_"}),databaseUrl:s({url:true}),token:s()}}'),
    ).toEqual([names])
    expect(listed('server:{STRIPE_KEY:z.string(),DATABASE_URL:z.url()}')).toEqual([
      ['stripeKey', 'databaseUrl'],
    ])
  })

  it('where there is but one, if it is unmistakable', () => {
    expect(listed('get("stripeKey")', ['stripeKey'])).toEqual([['stripeKey']])
    expect(listed('get("token")', ['token'])).toEqual([])
  })

  it('not where one of several stands alone, as part of a word, or where all are ordinary words', () => {
    expect(listed('get("stripeKey")')).toEqual([])
    expect(listed(`stripeKey${' '.repeat(401)}databaseUrl`)).toEqual([])
    expect(listed('stripeKeys databaseUrlOf myToken')).toEqual([])
    expect(listed('password token', ['password', 'token', 'stripeKey'])).toEqual([])
  })
})

describe('tokens', () => {
  const random = 'a1B2'.repeat(12).slice(0, 46)

  it('for servers are found without being named, those for browsers are not', () => {
    const find = (content: string) => scanFile({ path: 'app.js', content }, {})
    expect(find(`a="sbx_m2m_${random}"`).map(describeLeak)).toEqual([
      'app.js:1:4 holds a server key',
    ])
    expect(find(`"sbx_" + "pat_" + "${random}"`)).toHaveLength(1)
    expect(find(`"sbx_b2m_${random}" /^sbx_(m2m)_/`)).toEqual([])
  })
})

describe('fingerprints', () => {
  it('are of values that nothing else is taken for, and name the others', () => {
    const { fingerprints, tooPlain } = fingerprintSecrets({
      nodeEnv: 'production',
      port: 3000,
      on: true,
      short: 'x9!Kq2',
      dashes: '----------------',
      good: 'q8Zr2!pW',
    })
    expect(tooPlain).toEqual(['nodeEnv', 'port', 'on', 'short', 'dashes'])
    expect(new Set(fingerprints.map(({ name }) => name))).toEqual(new Set(['good']))
  })

  it('can be made in one place and used in another', () => {
    const sent: unknown = JSON.parse(JSON.stringify(values))
    expect(sent).toEqual(values)
    expect(fingerprintSecrets(secrets, values.salt)).toEqual(values)
    expect(fingerprintSecrets(secrets)).not.toEqual(values)
  })
})

/** One of the three ways, in turn. */
function escapeLetter(letter: string, at: number): string {
  const code = letter.charCodeAt(0).toString(16)
  return [`\\x${code}`, `\\u00${code}`, `\\u{${code}}`][at % 3] ?? ''
}
