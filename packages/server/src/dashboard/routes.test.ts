import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestRouter } from '../http/testing/test-router.ts'
import { mountDashboard } from './routes.ts'
import { toTestApp } from '../http/testing/test-app.ts'

const page = '<!doctype html><title>The dashboard</title>'
const script = 'export const text = "the same for everybody, and long enough to be worth it"'
const named = 'index-BBXSRXpF.js'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-dashboard-'))
  const built = join(directory, 'public')
  await mkdir(join(built, 'assets/deeper.js'), { recursive: true })
  await mkdir(join(directory, 'assets'))
  await writeFile(join(directory, 'secret.js'), 'outside')
  await writeFile(join(directory, 'assets/mark.svg'), '<svg/>')
  await writeFile(join(directory, 'assets/notes.csv'), 'of no type that is sent')
  await writeFile(join(built, 'index.html'), page)
  for (const name of [named, 'theme.js']) {
    await writeFile(join(built, 'assets', name), script)
  }
  await writeFile(join(built, 'assets', `${named}.br`), brotliCompressSync(script))
  await writeFile(join(built, 'assets', `${named}.gz`), gzipSync(script))
  await symlink(join(directory, 'secret.js'), join(built, 'assets/leads-out.js'))
})
afterAll(() => rm(directory, { recursive: true }))

/** Asks a dashboard whose build is in `built`. */
function open(built = 'public') {
  const router = createTestRouter()
  mountDashboard(router, { built: join(directory, built), plain: join(directory, 'assets') })
  const app = toTestApp(router.build())
  return (path: string, { method = 'GET', ...headers }: Record<string, string> = {}) =>
    app.request(path, { method, headers })
}

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
const byPerson = { accept: 'text/html,application/xhtml+xml' }

describe('a file of the dashboard', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['br;q=0.000, GZIP', 'gzip', gunzipSync],
    ['deflate', null, (bytes: Buffer) => bytes],
    ['', null, (bytes: Buffer) => bytes],
  ] as const)('is sent as the browser takes it: %j', async (accepted, encoding, decode) => {
    const answer = await open()(`/assets/${named}`, { 'accept-encoding': accepted })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    expect(decode(await bytesOf(answer)).toString()).toBe(script)
  })

  it('is sent whole where the build has no smaller form of it', async () => {
    const answer = await open()('/assets/theme.js', { 'accept-encoding': 'br, gzip' })
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(await answer.text()).toBe(script)
  })

  it.each([
    [named, 'public, max-age=31536000, immutable'],
    ['theme.js', 'no-cache'],
    ['mark.svg', 'no-cache'],
  ])('is kept for ever by a name that changes with its content alone: %s', async (name, kept) => {
    const answer = await open()(`/assets/${name}`)
    expect(answer.headers.get('cache-control')).toBe(kept)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    [named, 'text/javascript; charset=utf-8'],
    ['mark.svg', 'image/svg+xml'],
  ])('says what it is: %s', async (name, type) => {
    expect((await open()(`/assets/${name}`)).headers.get('content-type')).toBe(type)
  })

  it('is not sent to who has it, and each encoding is a thing of its own', async () => {
    const ask = open()
    const whole = (await ask(`/assets/${named}`)).headers.get('etag') ?? ''
    const small = await ask(`/assets/${named}`, { 'accept-encoding': 'br' })
    const etag = small.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect(etag).not.toBe(whole)
    const again = await ask(`/assets/${named}`, {
      'accept-encoding': 'br',
      'if-none-match': `"other", W/${etag}`,
    })
    expect(again.status).toBe(304)
    expect(again.headers.get('etag')).toBe(etag)
    expect(await again.text()).toBe('')
    const changed = await ask(`/assets/${named}`, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
  })

  it('is told of without its bytes', async () => {
    const answer = await open()(`/assets/${named}`, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).not.toBeNull()
    expect(await answer.text()).toBe('')
  })

  it.each([
    'nothing-BBXSRXpF.js',
    // Left there by the build, and sent under the name without its end.
    `${named}.br`,
    'notes.csv',
    // A folder.
    'deeper.js',
    '..%2Findex.html',
    '..%2F..%2Fsecret.js',
    // A link to it.
    'leads-out.js',
    '%2e%2e%2f%2e%2e%2fsecret.js',
    '..%5C..%5Csecret.js',
    'constructor.js',
  ])('is none of the build, or leads out of it: 404 and not the page for %s', async (name) => {
    const answer = await open()(`/assets/${name}`, byPerson)
    const text = await answer.text()
    expect([answer.status, text.includes('outside'), text.includes(page)]).toEqual([
      404,
      false,
      false,
    ])
  })
})

describe('the page of the dashboard', () => {
  it.each(['/', '/acme', '/acme/deployments?state=failure', '/acme/config/../keys'])(
    'is what a person gets who goes to %s',
    async (path) => {
      const answer = await open()(path, byPerson)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe(page)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    },
  )

  it('is told of without its bytes, and not sent to who has it', async () => {
    const ask = open()
    const told = await ask('/acme', { ...byPerson, method: 'HEAD' })
    expect([told.status, await told.text()]).toEqual([200, ''])
    const etag = told.headers.get('etag') ?? ''
    const again = await ask('/acme', { ...byPerson, 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it.each([
    ['a program', { accept: 'application/json' }],
    ['what a page fetches', { accept: '*/*' }],
    ['who says nothing', {}],
    ['who sends something', { ...byPerson, method: 'POST' }],
    ['who deletes something', { ...byPerson, method: 'DELETE' }],
  ])('is not what is answered to %s', async (_who, request) => {
    const answer = await open()('/acme/deployments', request)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
  })

  it('says how to build it where nobody has', async () => {
    const ask = open('nowhere')
    const answer = await ask('/acme', byPerson)
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('npm run build')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect((await ask('/acme', { accept: 'application/json' })).status).toBe(404)
    expect((await ask(`/assets/${named}`)).status).toBe(404)
    // Assets that no build makes are served all the same, because the documents use them.
    expect((await ask('/assets/mark.svg')).status).toBe(200)
  })
})
