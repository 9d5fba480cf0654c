import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { problems, problemTypeBase } from '@signalbox/contract'
import { endpoints, type EndpointShape } from '@signalbox/contract/rest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { renderServedPages } from '../../../../scripts/docs/served-pages.ts'
import { defaultRateLimits } from '../http/admission/rate-classes.ts'
import { createRateLimiter } from '../http/admission/rate-limit.ts'
import { apiExamples } from '../http/answers/api-examples.ts'
import { createTestRouter } from '../http/testing/test-router.ts'
import { mountPages } from './pages.ts'
import { mountOperation } from './routes.ts'
import { toTestApp } from '../http/testing/test-app.ts'

let pages: string

beforeAll(async () => {
  pages = await mkdtemp(join(tmpdir(), 'signalbox-pages-'))
  for (const [address, text] of renderServedPages()) {
    await mkdir(join(pages, dirname(address)), { recursive: true })
    await writeFile(join(pages, address), text)
  }
})
afterAll(() => rm(pages, { recursive: true }))

function openApp(folder = pages) {
  const stopping = new AbortController()
  const asked = { checks: 0, metrics: 0, publicUrl: 0 }
  const router = createTestRouter({
    limiter: createRateLimiter(defaultRateLimits, () => 0),
    clientAddress: { of: (_remote, forwardedFor) => forwardedFor ?? '192.0.2.1' },
  })
  mountOperation(router, {
    version: '1.0.0',
    metrics: {
      contentType: 'text/plain',
      render: async () => `rendered ${++asked.metrics}`,
    },
    publicUrl() {
      asked.publicUrl += 1
      return 'https://api.example.com'
    },
    configUrl: () => 'https://config.example.com',
    async checks() {
      asked.checks += 1
      return { storage: { ok: true, detail: 'There.' } }
    },
    stop: stopping.signal,
  })
  mountPages(router, folder)
  const app = toTestApp(router.build())
  const get = async (path: string, from = '192.0.2.1', more: Record<string, string> = {}) => {
    const answer = await app.request(path, { headers: { 'x-forwarded-for': from, ...more } })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const getMany = async (path: string, count: number) => {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) statuses.push((await get(path)).status)
    return statuses
  }
  return { asked, get, getMany, stop: () => stopping.abort() }
}

const allowed = Array.from({ length: 60 }, () => 200)

describe('what anybody may ask', () => {
  it('is told at once that a process which stops is not ready, on a connection that is open', async () => {
    const { get, stop } = openApp()
    expect((await get('/readyz')).status).toBe(200)
    stop()
    const { status, text } = await get('/readyz')
    expect([status, JSON.parse(text)]).toMatchObject([503, { status: 'not_ready' }])
    expect((await get('/healthz')).status).toBe(200)
  })

  it('describes the API once, however often the document and the page are read', async () => {
    const { asked, get } = openApp()
    const document = await get('/openapi.json')
    expect(JSON.parse(document.text)).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://api.example.com' }],
    })
    expect((await get('/docs')).text).toContain('<h1>Signalbox API</h1>')
    for (let i = 0; i < 10; i++) {
      expect((await get('/openapi.json')).text).toBe(document.text)
      expect((await get('/docs')).status).toBe(200)
    }
    expect(asked.publicUrl).toBe(1)
  })

  it('explains every problem on a page that loads nothing but its own, where the description and the type lead', async () => {
    const { get } = openApp()
    const page = await get(new URL(problemTypeBase).pathname)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const [code, { status, title }] of Object.entries(problems)) {
      expect(page.text).toContain(`<h3 id="${code}">${code}</h3>\n<p><strong>${status}. ${title}.`)
    }
    expect(page.text).not.toMatch(/<script>|<style|\*\*|\]\(|(?:src|href)="(?!\/|#)/)
    const description = (await get('/docs')).text
    expect(description).toContain('<a href="/docs/problems#not_found"><code>not_found</code></a>')
  })

  it('has the guide as pages and as Markdown, each sent again only to who has another one', async () => {
    const { get } = openApp()
    const page = await get('/docs/guide/clients')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.text).toContain('<h1 id="clients">Clients</h1>')
    const twin = await get('/docs/guide/clients.md')
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(twin.text).toMatch(/^# Clients\n/)
    for (const path of ['/docs/guide', '/docs/guide/clients', '/docs/problems']) {
      const etag = (await get(path)).headers.get('etag') ?? ''
      const held = await get(path, '192.0.2.1', { 'if-none-match': etag })
      expect([path, held.status, held.text]).toEqual([path, 304, ''])
    }
  })

  it('answers the schema of imports as JSON Schema', async () => {
    const { get } = openApp()
    const schema = await get('/docs/reference/signalbox-import-1.schema.json')
    expect(schema.headers.get('content-type')).toBe('application/schema+json')
    expect(JSON.parse(schema.text)).toMatchObject({ title: 'signalbox-import/1' })
  })

  it.each(['none', '..%2F..%2Fllms.txt', 'clients.html', 'constructor'])(
    'has no page %s, and nothing outside of the folder',
    async (name) => {
      const { get } = openApp()
      expect([404, 400]).toContain((await get(`/docs/guide/${name}`)).status)
      expect((await get(`/docs/reference/${name}`)).text).not.toContain('Signalbox')
    },
  )

  it.each(['/docs/guide', '/docs/guide/clients', '/llms.txt'])(
    'says how the documentation is built where %s was not built',
    async (path) => {
      const { status, text } = await openApp(join(pages, 'none')).get(path)
      expect(status).toBe(503)
      expect(text).toContain('The documentation is not built. Run <code>npm run build</code>')
    },
  )

  it.each(['/docs/guide/none', '/docs/reference/none'])(
    'says on a page that there is no %s, and to a program as a problem',
    async (path) => {
      const { get } = openApp()
      const page = await get(path, '192.0.2.1', { accept: 'text/html,*/*;q=0.8' })
      expect(page.status).toBe(404)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.text).toContain('<h1>Page not found</h1>')
      for (const accept of ['application/json', '*/*']) {
        const problem = await get(path, '192.0.2.1', { accept })
        expect([problem.status, JSON.parse(problem.text)]).toMatchObject([
          404,
          { code: 'not_found' },
        ])
      }
    },
  )

  it('shows the requests that scripts send most, as the API takes them', async () => {
    const { get } = openApp()
    const { text } = await get('/docs')
    expect(apiExamples.length).toBeGreaterThan(3)
    for (const { operationId, path, body } of apiExamples) {
      const declared = Object.values(endpoints).find((each) => each.operationId === operationId)
      expect(text).toContain(`<a href="#${operationId}">`)
      const [sentPath = ''] = path.split('?')
      const pattern = (declared?.path ?? 'none').replaceAll(/\{\w+\}/g, '[^/]+')
      expect(sentPath).toMatch(new RegExp(`^${pattern}$`))
      const accepted = (declared as EndpointShape | undefined)?.body?.safeParse(body)
      expect([operationId, accepted?.error?.issues]).toEqual([operationId, undefined])
    }
    expect(text).toContain('curl &quot;https://config.example.com/organizations/acme/config/values')
  })

  it('tells programs what the documentation has, and gives them all of it as one text', async () => {
    const { get } = openApp()
    const contents = await get('/llms.txt')
    expect(contents.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(contents.text).toMatch(/^# Signalbox\n\n> .+\n/)
    const links = [...contents.text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(15)
    for (const link of new Set(links)) expect([link, (await get(link)).status]).toEqual([link, 200])
    const { text, headers } = await get('/llms-full.txt')
    const titles = [...contents.text.matchAll(/^- \[([^\]]+)\]/gm)].map(([, title = '']) => title)
    expect(titles.filter((title) => !text.includes(`\n# ${title}\n`))).toEqual([])
    const skill = await get('/skill.md')
    expect(skill.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(skill.text).toMatch(/^---\nname: signalbox\n/)
    const etag = headers.get('etag') ?? ''
    const held = await get('/llms-full.txt', '192.0.2.1', { 'if-none-match': etag })
    expect([held.status, held.text]).toEqual([304, ''])
  })

  it('answers the schema of a file, by which the files of the guide are valid', async () => {
    const { get } = openApp()
    const { headers, text } = await get('/signalbox.schema.json')
    expect(headers.get('content-type')).toBe('application/schema+json')
    const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
      JSON.parse(text) as object,
    )
    const guide = await get('/docs/guide/configuration-file.md')
    const blocks = [...guide.text.matchAll(/^```yaml\n([^]*?)^```$/gm)]
    const files = blocks.map(([, block = '']) => parse(block) as object)
    expect(files).toHaveLength(2)
    for (const file of files) {
      expect([isValid(file), isValid.errors]).toEqual([true, null])
      expect(isValid({ ...file, version: 2 })).toBe(false)
      expect(isValid({ ...file, environmnts: {} })).toBe(false)
    }
  })

  it('asks the database and writes the counts out once for all who ask at the same time', async () => {
    const { asked, get } = openApp()
    const paths = Array.from({ length: 20 }, () => ['/readyz', '/metrics']).flat()
    const answers = await Promise.all(paths.map((path) => get(path)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(asked).toMatchObject({ checks: 1, metrics: 1 })
  })

  it.each([
    '/docs',
    '/docs/problems',
    '/docs/guide',
    '/docs/guide/clients',
    '/llms.txt',
    '/llms-full.txt',
    '/openapi.json',
    '/readyz',
    '/metrics',
  ])('is limited for an address: the 61st request at once for %s is refused', async (path) => {
    const { getMany, get } = openApp()
    expect(await getMany(path, 61)).toEqual([...allowed, 429])
    expect((await get(path, '192.0.2.2')).status).toBe(200)
  })

  it('never refuses to say that the process runs', async () => {
    expect(await openApp().getMany('/healthz', 61)).toEqual([...allowed, 200])
  })

  it('keeps an allowance for who watches the service, which pages read from the same address leave alone', async () => {
    const { getMany, get } = openApp()
    expect((await getMany('/docs', 61)).at(-1)).toBe(429)
    expect((await get('/readyz')).status).toBe(200)
    expect((await get('/metrics')).status).toBe(200)
  })
})
